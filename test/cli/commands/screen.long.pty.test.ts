import { appendFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { recordTerminal } from '../recordFolder.ts';
import { runCli, runOnTerminal } from '../runCli.ts';
import { delta, keyframe, writeDeltas, writeSnapshot } from '../screenFiles.ts';

const home = suiteFolder('cli-screen');
const run = (...args: string[]) => runCli(args, { home });

beforeAll(async () => {
  const told = await recordTerminal(home, 'told', []);
  await writeDeltas(told, [
    keyframe(10, ['one', 'two', '', 'four']),
    delta(11, [{ row: 1, text: 'TWO' }]),
    delta(13, [
      { row: 0, text: 'two\x9b2J \u202etxt' },
      { row: 4, text: 'five' },
    ]),
    delta(14, [{ row: 3, text: '' }], { cursor: { row: 4, col: 4 } }),
  ]);
  writeSnapshot(told, { seq: 14, rows: ['old'], scrollback: ['above 1', 'above 2'], ts: 14_000, hash: 'ab'.repeat(8) });
  const shot = await recordTerminal(home, 'shot', []);
  writeSnapshot(shot, { rows: ['only a snapshot'], title: 'kept' });
  const newer = await recordTerminal(home, 'newer', []);
  await writeDeltas(newer, [keyframe(3, ['stale'])]);
  writeSnapshot(newer, { seq: 9, rows: ['fresh'] });
  await recordTerminal(home, 'blank', []);
});

describe('hansard screen without a core', () => {
  test('prints the last recorded screen, without the blank rows at its end', async () => {
    const { code, stdout, stderr } = await run('screen', 'told');
    expect([code, stdout, stderr]).toEqual([0, 'two\x9b2J \u202etxt\nTWO\n\n\nfive\n', '']);
  });

  test('at a terminal nothing of it can give an order or turn the text around', async () => {
    const { code, text } = await runOnTerminal(['screen', 'told'], { home });
    expect([code, text]).toEqual([0, 'two\\x9b2J \\u{202e}txt\r\nTWO\r\n\r\n\r\nfive\r\n']);
  });

  test('--json is the reading: persisted, with the hash and the rows above it of the snapshot', async () => {
    const { stdout } = await run('screen', 'told', '--json', '--scrollback', '1');
    const { version, reading } = JSON.parse(stdout);
    expect([version, reading]).toMatchObject([
      1,
      {
        terminalId: 'told',
        source: 'persisted',
        full: true,
        seq: 14,
        epoch: 'a.1',
        atMs: 14_000,
        hash: 'ab'.repeat(8),
        scrollback: [{ text: 'above 2' }],
        frame: { title: 'a title', cols: 80, rowsCount: 24, scrollbackTotal: 3, cursor: { row: 4, col: 4 } },
      },
    ]);
  });

  test.each([
    ['a seq', ['--at', '11'], 'one\nTWO\n\nfour\n'],
    ['a seq between two recorded ones', ['--at', '12'], 'one\nTWO\n\nfour\n'],
    ['a time', ['--at', '1970-01-01T00:00:10.900Z'], 'one\ntwo\n\nfour\n'],
  ])('--at %s gives what it showed then', async (_, args, expected) => {
    expect(await run('screen', 'told', ...args)).toMatchObject({ code: 0, stdout: expected });
  });

  test('--since a recorded frame gives the rows that differ', async () => {
    const { code, stdout } = await run('screen', 'told', '--since', '11');
    expect([code, stdout]).toEqual([0, '~0 two\x9b2J \u202etxt\n-3\n+4 five\n']);
  });

  test.each([
    ['a frame that was not recorded', ['--since', '12'], 'unknown-frame'],
    ['a frame of another epoch', ['--since', '11', '--epoch', 'b.1'], 'epoch-changed'],
  ])('--since %s gives the whole screen and says why', async (_, args, reason) => {
    const { stdout } = await run('screen', 'told', '--json', ...args);
    expect(JSON.parse(stdout)).toMatchObject({ reading: { full: true, reason } });
  });

  test('where only the snapshot is there, or it is the newer one, that is the screen', async () => {
    const shown = [await run('screen', 'shot'), await run('screen', 'newer')];
    expect(shown.map(({ stdout }) => stdout)).toEqual(['only a snapshot\n', 'fresh\n']);
  });

  test.each([
    ['a terminal without a recorded screen', ['screen', 'blank'], 66, 'no screen of terminal "blank" is recorded'],
    ['a moment before the first', ['screen', 'told', '--at', '3'], 66, 'no screen of terminal "told" is recorded'],
    ['a frame that is yet to come', ['screen', 'told', '--since', '99'], 64, '--since is ahead of the screen'],
    ['an unknown terminal', ['screen', 'nobody'], 66, 'no terminal "nobody"'],
    ['a moment that is none', ['screen', 'told', '--at', 'noon'], 64, 'a time of day (14:03, 14:03:20)'],
    ['too much scrollback', ['screen', 'told', '--scrollback', '1001'], 64, 'from 0 to 1000'],
  ])('%s is told with its exit code', async (_, args, code, text) => {
    const ran = await run(...args);
    expect([ran.code, ran.stdout]).toEqual([code, '']);
    expect(ran.stderr).toContain(text);
  });
});

test('doctor tells of a torn screen.jsonl, and screen reads what is whole', async () => {
  const torn = await recordTerminal(home, 'torn', []);
  await writeDeltas(torn, [keyframe(1, ['whole'])]);
  appendFileSync(torn.screenJsonl, '{"seq":2,"epoch":"a.1","ts":2,"ro');
  const { stdout } = await run('doctor');
  expect(stdout).toContain(`the last line is torn: ${torn.screenJsonl}`);
  expect(await run('screen', 'torn')).toMatchObject({ code: 0, stdout: 'whole\n' });
});

describe('hansard wait without a core', () => {
  const UNHOOKED = 'hansard: no shell hook says where the command line is: its text counts as output, too\n';

  test('finds text on the screen', async () => {
    const ran = await run('wait', 'told', '--match', 'five', '--screen', '--timeout', '600');
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([
      0,
      'five\n',
      `${UNHOOKED}hansard: the text stood on the screen already\n`,
    ]);
  });

  test('is over at once with 1: the screen will not change any more', async () => {
    const ran = await run('wait', 'told', '--match', 'six', '--screen', '--timeout', '600');
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([
      1,
      '',
      `${UNHOOKED}hansard: the terminal does not run: its screen will not change any more\n`,
    ]);
  });

  test('--json tells the outcome and the last reading', async () => {
    const ran = await run('wait', 'told', '--exit', '--json');
    expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([
      1,
      { version: 1, result: { outcome: 'gone', met: [], reading: { source: 'persisted', seq: 14 } } },
    ]);
  });

  test.each([
    ['nothing to wait for', ['wait', 'told'], 'nothing to wait for'],
    ['both --any and --all', ['wait', 'told', '--exit', '--any', '--all'], 'exclude each other'],
    ['too short a stillness', ['wait', 'told', '--stable', '5'], '10 to 600000'],
    ['too long a pattern', ['wait', 'told', '--match', 'x'.repeat(513)], '1 to 512 characters'],
    ['too long a time', ['wait', 'told', '--exit', '--timeout', '86401'], '0 to 86400'],
  ])('%s is a mistake in the command line', async (_, args, text) => {
    const ran = await run(...args);
    expect([ran.code, ran.stdout]).toEqual([64, '']);
    expect(ran.stderr).toContain(text);
  });
});
