import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { suiteFolder } from '../store/suiteFolder.ts';
import { recordTerminal, START_MS, writeTabs } from './recordFolder.ts';
import { runCli } from './runCli.ts';

const home = suiteFolder('cli-read');
const run = (...args: string[]) => runCli(args, { home });
const json = async (...args: string[]): Promise<unknown> => JSON.parse((await run(...args)).stdout);

beforeAll(async () => {
  await recordTerminal(
    home,
    't1-aa',
    [
      { id: 'b1-000001', cmd: 'echo hello', raw: 'hello\r\n', text: 'hello\n', outputLines: 1 },
      {
        id: 'b2-000002',
        cmd: 'ls\n日本',
        raw: '\x1b[31mno\x1b[0m\r\n',
        text: 'no\n',
        outputLines: 1,
        exitCode: 2,
        startedMs: START_MS + 90_000,
      },
    ],
    { name: 'work' },
  );
  const make = { cmd: 'make', signal: 'SIGINT', exitCode: 130, startedMs: START_MS + 60_000, durationMs: 61_000 };
  await recordTerminal(home, 't2-bb', [{ id: 'b1-00000f', ...make }]);
  const neverEnded = {
    status: 'running',
    rawEnd: null,
    endedMs: null,
    durationMs: null,
    exitCode: null,
    endedBy: null,
  } as const;
  await recordTerminal(home, 't3-cc', [
    { id: 'b3-000003', cmd: null, raw: 'lost', startedMs: START_MS + 3_000, ...neverEnded },
  ]);
  writeTabs(home, ['t1-aa']);
});

describe('without a running core', () => {
  test('ls lists the tabs and tells of the closed terminals beside the output', async () => {
    const { code, stdout, stderr } = await run('ls');
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME')).toBe(
      'TERMINAL  STATE  SHELL  MARKS  USED                 NAME  FOLDER\nt1-aa     saved  bash   -      TIME  work  /home/u\n',
    );
    expect([code, stderr]).toEqual([0, 'hansard: 2 closed terminals not shown: `hansard ls --all`\n']);
  });

  test('ls --json keeps its form', async () => {
    const common = {
      title: '',
      shell: 'bash',
      cwd: '/home/u',
      gitBranch: null,
      cols: 80,
      rows: 24,
      createdMs: START_MS,
      usedMs: expect.any(Number),
    };
    const unknown = {
      exitCode: null,
      signal: null,
      runningBlockId: null,
      atPrompt: false,
      integration: null,
      recordFault: null,
    };
    expect(await json('ls', '--all', '--json')).toEqual({
      version: 1,
      core: null,
      terminals: [
        { id: 't1-aa', state: 'saved', name: 'work', ...common, ...unknown },
        { id: 't3-cc', state: 'closed', name: null, ...common, ...unknown },
        { id: 't2-bb', state: 'closed', name: null, ...common, ...unknown },
      ],
    });
  });

  test('blocks lists the newest of all terminals by the time they began', async () => {
    const { code, stdout, stderr } = await run('blocks', '--last', '4');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      [
        'BLOCK      TERMINAL  STARTED               TOOK  LINES  EXIT         COMMAND',
        'b1-000001  t1-aa     2026-01-01 00:00:01  120ms      1  0            echo hello',
        'b3-000003  t3-cc     2026-01-01 00:00:03      -      0  interrupted  (text not known)',
        'b1-00000f  t2-bb     2026-01-01 00:01:00  1m01s      0  SIGINT       make',
        'b2-000002  t1-aa     2026-01-01 00:01:30  120ms      1  2            ls\\n日本',
        '',
      ].join('\n'),
    );
  });

  test('blocks of one terminal do not repeat its name', async () => {
    expect((await run('blocks', 't1', '-n', '1')).stdout).toBe(
      'BLOCK      STARTED               TOOK  LINES  EXIT  COMMAND\nb2-000002  2026-01-01 00:01:30  120ms      1  2     ls\\n日本\n',
    );
  });

  test('blocks --json keeps its form: the blocks as they are recorded', async () => {
    expect(await json('blocks', 't2-bb', '--json')).toEqual({
      version: 1,
      core: null,
      blocks: [
        {
          id: 'b1-00000f',
          terminalId: 't2-bb',
          seq: 1,
          kind: 'command',
          status: 'completed',
          cmd: 'make',
          textSource: 'hook',
          cwd: '/home/u',
          actor: 'user',
          startedMs: START_MS + 60_000,
          endedMs: START_MS + 60_120,
          durationMs: 61_000,
          exitCode: 130,
          signal: 'SIGINT',
          endedBy: 'mark',
          trusted: true,
          outputBytes: 0,
          outputLines: 0,
          usedAltScreen: false,
          addressed: false,
          rawStart: 0,
          rawEnd: 0,
          ephemeral: false,
          bookmarked: false,
        },
      ],
    });
  });

  test.each([
    ['its id', ['b1-000001'], 'hello\n'],
    ['its number in a terminal', ['b1', '--terminal', 't1'], 'hello\n'],
    ['the start of its id', ['b2-0'], 'no\n'],
    ['last: the one that ended last', ['last'], 'no\n'],
    ['last in a terminal', ['last', '-t', 't2'], ''],
    ['--raw: the exact bytes', ['b2', '--raw'], '\x1b[31mno\x1b[0m\r\n'],
    ['--raw of one that never ended: all bytes there are', ['b3', '--raw'], 'lost'],
  ])('block prints the output by %s', async (_, args, output) => {
    expect(await run('block', ...args)).toEqual({ code: 0, signal: null, stdout: output, stderr: '' });
  });

  test('block --json gives block and text, or the bytes in base64', async () => {
    expect(await json('block', 'last', '--json')).toEqual({
      version: 1,
      block: expect.objectContaining({ id: 'b2-000002', exitCode: 2 }),
      output: 'no\n',
      truncated: false,
    });
    expect(await json('block', 'last', '--json', '--raw')).toEqual({
      version: 1,
      block: expect.objectContaining({ id: 'b2-000002' }),
      outputBase64: Buffer.from('\x1b[31mno\x1b[0m\r\n').toString('base64'),
      truncated: false,
    });
  });

  test('an interrupted block says that its text may lack the end', async () => {
    const { stderr } = await run('block', 'b3');
    expect(stderr).toContain('`--raw` has all its bytes');
  });

  test.each([
    [
      'an unknown block lists the newest',
      ['block', 'zz'],
      'hansard: no block "zz". The newest are:\n  b2-000002  t1-aa ls 日本\n  b1-00000f  t2-bb make\n',
    ],
    ['an ambiguous block lists the candidates', ['block', 'b1'], 'hansard: "b1" could be any of 2 blocks:\n'],
    [
      'an unknown terminal lists them all',
      ['blocks', 'nope'],
      'hansard: no terminal "nope". There are:\n  t1-aa  work /home/u\n  t3-cc  bash /home/u\n',
    ],
    [
      'an unknown terminal of a block too',
      ['block', 'last', '-t', 'nope'],
      'hansard: no terminal "nope". There are:\n',
    ],
    ['a path is no id', ['blocks', '../t1-aa'], 'hansard: no terminal "../t1-aa". There are:\n'],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([66, '']);
    expect(stderr).toContain(message);
  });

  test('what a person kept out of the record is not given out', async () => {
    const own = suiteFolder('cli-ephemeral');
    await recordTerminal(own, 't1', [
      { id: 'b1-aa', cmd: ' secret', ephemeral: true },
      { id: 'b2-bb', cmd: 'open' },
    ]);
    const { stdout } = await runCli(['blocks', '--json'], { home: own });
    expect(JSON.parse(stdout).blocks.map(({ id }: { id: string }) => id)).toEqual(['b2-bb']);
    expect((await runCli(['block', 'b1'], { home: own })).code).toBe(66);
  });
});

describe('where there is little to read', () => {
  test('an empty record is no error for lists', async () => {
    const empty = join(suiteFolder('cli-empty'), 'never-made');
    const ls = await runCli(['ls'], { home: empty });
    expect([ls.code, ls.stdout, ls.stderr]).toEqual([
      0,
      '',
      `hansard: no terminal is open in ${empty}. \`hansard\` opens one.\n`,
    ]);
    expect((await runCli(['ls', '--json'], { home: empty })).stdout).toBe('{"version":1,"core":null,"terminals":[]}\n');
    expect((await runCli(['blocks', '--json'], { home: empty })).stdout).toBe(
      '{"version":1,"core":null,"blocks":[]}\n',
    );
    const block = await runCli(['block', 'last'], { home: empty });
    expect([block.code, block.stderr]).toEqual([
      66,
      `hansard: nothing is recorded in ${empty} yet. Start \`hansard\` and run a command.\n`,
    ]);
  });

  test.each([['ls'], ['blocks'], ['block', 'last']])(
    'a data folder that is a file is said in one line (%s)',
    async (...args) => {
      const file = join(suiteFolder('cli-file'), 'data');
      writeFileSync(file, '');
      const { code, stderr } = await runCli(args, { home: file });
      expect([code, stderr]).toEqual([
        66,
        `hansard: the data folder ${file} is not a folder. Set HANSARD_HOME to one, or move the file away.\n`,
      ]);
    },
  );

  test('damage is read around and nothing on disk is changed by it', async () => {
    const own = suiteFolder('cli-damage');
    const folder = await recordTerminal(own, 't1', [{ id: 'b1-aa', cmd: 'before', text: 'x\n', outputLines: 1 }]);
    writeFileSync(folder.blocksJsonl, 'no json\n{"torn', { flag: 'a' });
    writeFileSync(folder.meta, '{');
    mkdirSync(join(own, 'terminals/not an id'), { mode: 0o700 });
    writeFileSync(join(own, 'workspace.json'), 'broken', { mode: 0o600 });
    const { stdout } = await runCli(['blocks', '--json'], { home: own });
    expect(JSON.parse(stdout).blocks.map(({ cmd }: { cmd: string }) => cmd)).toEqual(['before']);
    expect(JSON.parse((await runCli(['ls', '--all', '--json'], { home: own })).stdout).terminals).toMatchObject([
      { id: 't1', state: 'closed', shell: '' },
    ]);
    const doctor = await runCli(['doctor', '--no-probe', '--json'], { home: own });
    expect(doctor.code).toBe(1);
    const faults = JSON.parse(doctor.stdout).checks.filter(
      ({ area, status }: { area: string; status: string }) => area === 'record' && status !== 'ok',
    );
    expect(faults).toMatchObject([
      { id: 'record.file', status: 'bad', text: expect.stringContaining(join(own, 'workspace.json')) },
      { id: 'record.lines', status: 'warn', text: expect.stringContaining(`${folder.blocksJsonl} (1 line)`) },
      { id: 'record.meta', status: 'warn', text: expect.stringContaining(folder.meta) },
      { id: 'record.torn', status: 'warn', text: expect.stringContaining(folder.blocksJsonl) },
    ]);
    expect((await runCli(['block', 'last'], { home: own })).stdout).toBe('x\n');
  });
});
