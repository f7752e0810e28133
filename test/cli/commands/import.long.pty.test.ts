import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { runCli } from '../runCli.ts';

const home = suiteFolder('cli-import');
const files = suiteFolder('cli-import-files');
const fixture = new URL('../../fixtures/casts/player_snapshot.cast', import.meta.url).pathname;
const HEAD = '{"version":2,"width":80,"height":24,"timestamp":1504467315}\n';

function written(name: string, content: string | Uint8Array): string {
  const path = join(files, name);
  writeFileSync(path, content);
  return path;
}

interface Report {
  terminalId: string;
  format: string;
  rawBytes: number;
  blocks: number;
  notes: string[];
}

async function imported(...args: string[]): Promise<Report & { folder: SessionFolder; meta: Record<string, unknown> }> {
  const ran = await runCli(['import', ...args, '--json'], { home });
  expect(ran.code, ran.stderr).toBe(0);
  const report = JSON.parse(ran.stdout) as Report;
  const folder = new SessionFolder(home, report.terminalId);
  return { ...report, folder, meta: JSON.parse(readFileSync(folder.meta, 'utf8')) as Record<string, unknown> };
}

describe('hansard import', () => {
  test('an asciicast becomes a terminal that every reading command knows', async () => {
    const { terminalId, format, blocks } = await imported(fixture, '--title', 'a build');
    expect({ format, blocks }).toEqual({ format: 'asciicast 3', blocks: 1 });
    const listed = await runCli(['ls', '--all'], { home });
    expect(listed.stdout).toMatch(new RegExp(`${terminalId}.*closed.*a build`));
    const shown = await runCli(['block', 'b1', '-t', terminalId], { home });
    expect(shown.stdout).toContain('test result: ok. 42 passed; 0 failed\n');
    const raw = await runCli(['block', 'b1', '-t', terminalId, '--raw'], { home });
    expect(raw.stdout).toContain('\x1b[32mrunning 42 tests\x1b[0m\r\n');
    const screen = await runCli(['screen', terminalId], { home });
    expect(screen.stdout).toContain('Done!');
    const again = await runCli(['export', terminalId, '-f', 'cast3'], { home });
    const codes = (text: string): string[] =>
      text
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => JSON.stringify((JSON.parse(line) as unknown[]).slice(1)));
    expect(codes(again.stdout)).toEqual(codes(readFileSync(fixture, 'utf8')));
  });

  test('its time is that of the recording', async () => {
    const path = written('timed.cast', `${HEAD}[0.25, "o", "a"]\n[3.5, "r", "132x43"]\n[61.0, "o", "b"]\n`);
    const { folder, meta } = await imported(path);
    expect(meta).toMatchObject({ createdMs: 1_504_467_315_000, cols: 132, rows: 43, closedMs: 1_504_467_376_000 });
    expect(readFileSync(folder.times, 'utf8')).toBe('0 1504467315250\n1 1504467376000\n');
    const { stdout } = await runCli(['blocks', folder.id, '--json'], { home });
    expect(JSON.parse(stdout)).toMatchObject({
      blocks: [{ startedMs: 1_504_467_315_000, durationMs: 61_000, trusted: false }],
    });
  });

  test('marks of a shell in it make cards, none of them vouched for', async () => {
    const marks = '$ \x1b]133;B\x07make\r\n\x1b]133;C;cmdline=make\x07done\r\n\x1b]133;D;2\x07\x1b]133;A\x07$ ';
    const path = written('marks.cast', `${HEAD}${JSON.stringify([1, 'o', `\x1b]133;A\x07${marks}`])}\n`);
    const { folder } = await imported(path);
    const { stdout } = await runCli(['blocks', folder.id, '--json'], { home });
    expect(JSON.parse(stdout)).toMatchObject({
      blocks: [{ cmd: 'make', exitCode: 2, trusted: false, kind: 'command', outputLines: 1 }],
    });
  });

  test('raw output is one card, dated as its file, in the size that is given', async () => {
    const path = written(
      'out.log',
      Buffer.concat([Buffer.from('hello\r\n'), Buffer.of(0xff, 0xfe), Buffer.from('\r\n')]),
    );
    utimesSync(path, 1_600_000_000, 1_600_000_000);
    const { folder, meta, notes, format } = await imported(path, '--cols', '132', '--rows', '43');
    expect(format).toBe('raw output');
    expect(meta).toMatchObject({ cols: 132, rows: 43, createdMs: 1_600_000_000_000 });
    expect(readFileSync(folder.raw)).toEqual(readFileSync(path));
    expect(notes).toEqual(['it has no times: all of it is dated as the file']);
  });

  test.skipIf(!existsSync('/usr/bin/script'))(
    'what script(1) recorded comes with its times, by its timing file',
    async () => {
      const [typescript, timing] = [join(files, 'typescript'), join(files, 'timing')];
      execFileSync('script', ['-q', '-c', 'echo first; sleep 0.3; echo second', `-t${timing}`, typescript], {
        env: { PATH: process.env.PATH, TERM: 'xterm', SHELL: '/bin/sh' },
        stdio: ['ignore', 'ignore', 'ignore'],
      });
      const { folder, format } = await imported(typescript, '--timing', timing);
      expect(format).toBe('typescript');
      expect(readFileSync(folder.raw, 'utf8')).toBe('first\r\nsecond\r\n');
      const times = readFileSync(folder.times, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => Number(line.split(' ')[1]));
      expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(250);
    },
  );

  test('a recording that was cut off is imported but for its last line', async () => {
    const { folder, notes } = await imported(written('torn.cast', `${HEAD}[1, "o", "whole"]\n[2, "o", "to`));
    expect(readFileSync(folder.raw, 'utf8')).toBe('whole');
    expect(notes).toEqual(['the last line (3) is not complete and was left out']);
  });

  test('sizes that no terminal has are brought to those that one can have', async () => {
    const head = '{"version":2,"width":5000,"height":1}\n';
    const { meta, notes } = await imported(written('size.cast', `${head}[1, "o", "x"]\n`));
    expect(meta).toMatchObject({ cols: 1000, rows: 2 });
    expect(notes).toEqual(['a screen of 5000x1 was taken as 1000x2']);
  });

  test('a link to a recording is followed', async () => {
    const link = join(files, 'link.cast');
    symlinkSync(fixture, link);
    expect((await imported(link)).blocks).toBe(1);
  });

  test.each([
    [
      'an event that is none',
      `${HEAD}[1, "o", "a"]\nnonsense\n[2, "o", "b"]\n`,
      /line 3: not JSON\. Nothing was imported/,
    ],
    ['a time that is none', `${HEAD}["soon", "o", "a"]\n[2, "o", "b"]\n`, /line 2: "soon" is not a time/],
    ['a header that is none', '{"version":2}\n', /line 1: the header is not one of asciicast 2 or 3/],
    ['version 1', '{"version":1,"stdout":[]}\n', /line 1: this is asciicast version 1/],
    ['nothing at all', '', /line 1: the header is not JSON/],
  ])('a file with %s is refused with its line, and leaves nothing', async (_, content, message) => {
    const own = mkdtempSync(join(files, 'bad-'));
    const ran = await runCli(['import', written('bad.cast', content)], { home: own });
    expect(ran).toMatchObject({ code: 66, stdout: '' });
    expect(ran.stderr).toMatch(message);
    expect(readdirSync(own)).toEqual([]);
  });

  test('a folder, a missing file and a compressed one are refused', async () => {
    for (const [path, message] of [
      [files, /is not a file/],
      [join(files, 'none.cast'), /none\.cast/],
      [written('packed.cast', Buffer.of(0x1f, 0x8b, 8)), /is compressed/],
    ] as const) {
      const ran = await runCli(['import', path], { home });
      expect(ran.code).toBe(66);
      expect(ran.stderr).toMatch(message);
    }
  });

  test('what a killed import has left goes with the next one', async () => {
    const left = join(home, 'importing-999999999-abcd');
    mkdirSync(left);
    copyFileSync(fixture, join(left, 'half'));
    await imported(fixture);
    expect(existsSync(left)).toBe(false);
  });
});
