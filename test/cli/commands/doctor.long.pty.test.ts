import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checksOf, quotePath } from '../../../src-main/cli/doctor/Check.ts';
import { judgeSpace } from '../../../src-main/cli/doctor/checkDisk.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { recordTerminal } from '../recordFolder.ts';
import { type Ran, type RunOptions, runCli } from '../runCli.ts';

interface Report {
  version: number;
  healthy: boolean;
  dataFolder: string;
  checks: { id: string; area: string; status: string; text: string; fix: string | null }[];
}

async function examine(options: RunOptions): Promise<{ ran: Ran; report: Report; wrong: string[] }> {
  const ran = await runCli(['doctor', '--no-probe', '--json'], options);
  const report = JSON.parse(ran.stdout) as Report;
  const wrong = report.checks
    .filter(({ status }) => status === 'warn' || status === 'bad')
    .map(({ id, status }) => `${id} ${status}`);
  return { ran, report, wrong };
}

async function wellRecord(): Promise<{ home: string; folder: Awaited<ReturnType<typeof recordTerminal>> }> {
  const home = suiteFolder('doctor');
  return {
    home,
    folder: await recordTerminal(home, 't1', [{ id: 'b1-aa', raw: 'hello\r\n', text: 'hello\n', outputLines: 1 }]),
  };
}

const COMMON = ['program.node', 'program.pty', 'program.electron', 'program.browser', 'shells.bash'];

describe('doctor', () => {
  test('keeps the form of its JSON and is content with what is well', async () => {
    const { home } = await wellRecord();
    const { ran, report, wrong } = await examine({ home });
    expect([ran.stderr, report.version, report.dataFolder]).toEqual(['', 1, home]);
    expect(wrong.filter((one) => one !== 'program.build bad')).toEqual([]);
    expect(ran.code).toBe(report.healthy ? 0 : 1);
    const ids = report.checks.map(({ id }) => id);
    const wellIds = ['core.running', 'core.lock', 'permissions.mode', 'record.size', 'record.lines', 'disk.space'];
    expect(ids).toEqual(expect.arrayContaining([...COMMON, ...wellIds]));
    for (const check of report.checks) expect(Object.keys(check)).toEqual(['id', 'area', 'status', 'text', 'fix']);
  });

  test('describes each problem and its fix', async () => {
    const { home, folder } = await wellRecord();
    chmodSync(folder.raw, 0o644);
    const { code, stdout, stderr } = await runCli(['doctor', '--no-probe'], { home });
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain(`  ✗ 1 file or folder can be read by others: ${folder.raw}\n    → chmod -R go= ${home}\n`);
    expect(stdout).toMatch(/\n\d problems?, 0 warnings\.\n$/);
  });

  test('notes that commands of outside agents always ask in a shell whose grammar is not read', async () => {
    const { home } = await wellRecord();
    const fish = join(suiteFolder('fish'), 'fish');
    writeFileSync(fish, '#!/bin/sh\n', { mode: 0o755 });
    const { report } = await examine({ home, env: { SHELL: fish } });
    const rules = report.checks.filter(({ id }) => id.endsWith('-rules'));
    expect(rules.find(({ id }) => id === 'shells.fish-rules')).toMatchObject({
      status: 'note',
      text: expect.stringMatching(/^fish: commands of outside agents always ask; .* in bash and zsh only/),
    });
    expect(rules.map(({ id }) => id)).not.toContain('shells.bash-rules');
  });

  test('changes nothing', async () => {
    const { home, folder } = await wellRecord();
    writeFileSync(folder.blocksJsonl, '{"torn', { flag: 'a' });
    writeFileSync(folder.meta, 'broken');
    writeFileSync(join(home, 'core.json'), 'broken', { mode: 0o600 });
    const look = () =>
      readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')]);
    const before = look();
    await examine({ home });
    expect(look()).toEqual(before);
  });

  test('a data folder that was never made is no problem', async () => {
    const { report, wrong } = await examine({ home: join(suiteFolder('doctor-none'), 'a/b') });
    expect(wrong.filter((one) => one !== 'program.build bad')).toEqual([]);
    expect(report.checks.find(({ id }) => id === 'record.folder')).toMatchObject({
      status: 'note',
      text: expect.stringContaining('nothing is recorded yet'),
    });
  });

  test('a data folder that is a file is one', async () => {
    const file = join(suiteFolder('doctor-file'), 'data');
    writeFileSync(file, '');
    const { ran, wrong } = await examine({ home: file });
    expect([ran.code, wrong]).toEqual([1, expect.arrayContaining(['record.folder bad'])]);
  });
});

type Well = Awaited<ReturnType<typeof wellRecord>>;
const DAMAGES: [string, (well: Well) => unknown, string, RegExp][] = [
  [
    'a file that others can read',
    ({ folder }) => chmodSync(folder.meta, 0o640),
    'permissions.mode bad',
    /chmod -R go=/,
  ],
  [
    'a symbolic link',
    ({ home }) => symlinkSync('/etc/hostname', join(home, 'link')),
    'permissions.links bad',
    /find .* -type l/,
  ],
  [
    'a line that cannot be read',
    ({ folder }) => writeFileSync(folder.events, 'no json\n', { mode: 0o600 }),
    'record.lines warn',
    /^$/,
  ],
  [
    'a torn last line',
    ({ folder }) => writeFileSync(folder.blocksJsonl, '{"torn', { flag: 'a' }),
    'record.torn warn',
    /start Hansard once/,
  ],
  ['a broken meta.json', ({ folder }) => writeFileSync(folder.meta, '{'), 'record.meta warn', /start Hansard once/],
  [
    'a missing meta.json',
    ({ folder }) => renameSync(folder.meta, join(folder.root, 'other')),
    'record.meta warn',
    /start Hansard once/,
  ],
  [
    'a raw file that lost its end',
    ({ folder }) => truncateSync(folder.raw, 3),
    'record.short warn',
    /start Hansard once/,
  ],
  [
    'a file where the terminals should be',
    ({ home }) => {
      renameSync(join(home, 'terminals'), join(home, 'moved'));
      writeFileSync(join(home, 'terminals'), '', { mode: 0o600 });
    },
    'record.file bad',
    /move it away/,
  ],
  [
    'a gap',
    ({ folder }) =>
      writeFileSync(
        folder.events,
        '{"type":"gap","fromOffset":3,"toOffset":5,"reason":"the disk is full (ENOSPC)","atMs":1}\n',
        { mode: 0o600 },
      ),
    'record.gaps warn',
    /^$/,
  ],
  [
    'settings that cannot be read',
    ({ home }) => writeFileSync(join(home, 'settings.json'), '{"theme": "pink"}', { mode: 0o600 }),
    'record.settings warn',
    /settings\.json/,
  ],
];
const NOTES: [string, (well: Well) => unknown, string][] = [
  [
    'a lock that a killed one left',
    ({ home }) =>
      writeFileSync(join(home, 'core.lock'), '{"pid":2147483646,"start":"x","startedMs":1}', { mode: 0o600 }),
    'core.lock',
  ],
  [
    'a tail that recovery put aside',
    ({ folder }) => writeFileSync(`${folder.blocksJsonl}.torn-123`, 'x', { mode: 0o600 }),
    'record.kept',
  ],
  [
    'a removal that was cut short',
    ({ home }) => mkdirSync(join(home, 'terminals/.removing-t9'), { mode: 0o700 }),
    'record.removing',
  ],
];

describe('doctor finds', () => {
  test.each(DAMAGES)('%s', async (_, damage, expected, fix) => {
    const well = await wellRecord();
    damage(well);
    const { ran, report, wrong } = await examine({ home: well.home });
    expect(wrong.filter((one) => one !== 'program.build bad')).toEqual([expected]);
    const [id] = expected.split(' ');
    expect(report.checks.find((check) => check.id === id)?.fix ?? '').toMatch(fix);
    expect(ran.code).toBe(report.healthy ? 0 : 1);
  });

  test.each(NOTES)('%s, as a note that needs no fix', async (_, damage, id) => {
    const well = await wellRecord();
    damage(well);
    const { report } = await examine({ home: well.home });
    expect(report.checks.find((check) => check.id === id)).toMatchObject({ status: 'note', fix: null });
  });
});

test.each([
  [0, 'bad'],
  [99 * 1024 ** 2, 'bad'],
  [500 * 1024 ** 2, 'warn'],
  [2 * 1024 ** 3, 'ok'],
])('%i free bytes are %s', (free, status) => {
  expect(judgeSpace(free).status).toBe(status);
});

test('an id names its area', () => {
  expect(checksOf('core').ok('lock', 'text')).toEqual({
    id: 'core.lock',
    area: 'core',
    status: 'ok',
    text: 'text',
    fix: null,
  });
});

test.each([
  ['/home/u/.local/share/hansard', '/home/u/.local/share/hansard'],
  ["/tmp/it's here", "'/tmp/it'\\''s here'"],
])('a path in a fix can be pasted: %s', (path, quoted) => {
  expect(quotePath(path)).toBe(quoted);
});
