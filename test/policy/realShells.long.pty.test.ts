import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { Policy } from '../../src-main/contract/mcp/policy.ts';
import { judgeCommand } from '../../src-main/policy/judgeCommand.ts';
import { parseCommand, type SimpleCommand } from '../../src-main/policy/parseCommand.ts';
import { fuzzSeed, IS_SOAK } from '../support/fuzzRuns.ts';
import { PROGRAMS, randomCommand, randomRedirects, randomSigns } from './randomCommand.ts';
import { type BenchShell, inTheShell, type Ran, ShellBench } from './ShellBench.ts';

/** Allows everything that a policy can allow. */
const policy = Policy.parse({
  exec: { allow: [{ argv: [['p1', 'ls']] }, { argv: ['git', 'log'] }], redirects: 'allow', multiline: 'allow' },
});

const FIXED_SEED = 20_261_122;
const FILES = ['a', 'ab', 'b.c', 'HEAD', '1', '2'];
/** A new seed in each soak; fixed before a merge. */
const NEW_SEED = fuzzSeed();

/** Generators of the first two of every eight rounds: only signs, and redirections. */
const GENERATORS: readonly fc.Arbitrary<string>[] = [randomSigns, randomRedirects];

/** `count` different allowed commands, each longer than a single word. */
function allowedCommands(count: number, seed: number): string[] {
  const found = new Set<string>();
  for (let round = 0; found.size < count && round < 400; round++) {
    const sample = fc.sample(GENERATORS[round % 8] ?? randomCommand, { seed: seed + round, numRuns: 1000 });
    for (const cmd of sample) {
      if (found.size < count && cmd.length > 3 && judge(cmd) === 'allow' && canRun(cmd)) found.add(cmd);
    }
  }
  return [...found];
}

/** Whether all redirections have a file. Without one, the program may not run, which proves nothing. */
function canRun(cmd: string): boolean {
  const parsed = parseCommand(cmd);
  if (!('commands' in parsed)) return true;
  const targets = parsed.commands.flatMap(({ redirects }) => redirects.map(({ target }) => target));
  return targets.every((target) => FILES.includes(target));
}

/** Words that aliases can replace: any word for zsh's global aliases, and the word after an alias that ends in a space. */
function aliasableWords(cmd: string): readonly string[] {
  const parsed = parseCommand(cmd);
  if (!('commands' in parsed)) return [];
  return parsed.commands.flatMap(({ words, redirects }) => [
    ...words.map(({ text }) => text),
    ...redirects.map(({ target }) => target),
  ]);
}

/** Signs that change the meaning of their neighbours: operators, and quotes. */
const SIGN_SETS = [
  ['ls', 'a', '1', ' ', ';', '&', '|', '<', '>', '-'],
  ['ls', 'a', "'", '"', '\\', ' ', '=', ':', ';'],
];

/** `start` followed by every sequence of up to `count` signs. */
function followedBy(start: string, signs: readonly string[], count: number): string[] {
  if (count === 0) return [start];
  return [start, ...signs.flatMap((sign) => followedBy(start + sign, signs, count - 1))];
}

function judge(cmd: string): string {
  return judgeCommand(policy, { cmd, shell: 'bash', cwd: '/' }).verdict;
}

/** The programs that must run, by our parser, when every program exits with `status`. */
function expectedRuns(cmd: string, status: number): Ran[] {
  const parsed = parseCommand(cmd);
  if (!('commands' in parsed)) throw new Error(`not understood: ${cmd}`);
  const runs: Ran[] = [];
  let isRunning = true;
  for (const command of parsed.commands) {
    isRunning = goesOn(command, isRunning, status);
    if (isRunning) runs.push(command.words.map(({ text }) => text));
  }
  return runs;
}

/** Whether the command runs. `isRunning`: whether the previous one ran; a skipped one leaves the status unchanged. */
function goesOn({ before }: SimpleCommand, isRunning: boolean, status: number): boolean {
  if (before === '&&') return status === 0;
  if (before === '||') return status !== 0;
  return before === '|' ? isRunning : true;
}

const sorted = (runs: readonly Ran[]): string[] => runs.map((run) => JSON.stringify(run)).sort();

const bench = new ShellBench(PROGRAMS, FILES);
afterAll(() => bench.dispose());

const shells: Readonly<Record<string, BenchShell>> = {
  bash: { program: '/bin/bash', args: ['--norc', '--noprofile'], setup: inTheShell(PROGRAMS) },
  zsh: { program: '/bin/zsh', args: ['-f'], setup: inTheShell(PROGRAMS) },
  'interactive bash': { program: '/bin/bash', args: ['--norc', '--noprofile', '-i'], setup: [] },
  'interactive zsh': { program: '/bin/zsh', args: ['-f', '-i', '+Z'], setup: [] },
  'bash with all its options': {
    program: '/bin/bash',
    args: ['--norc', '--noprofile', '-i'],
    setup: ['shopt -s extglob globstar nullglob dotglob cdspell autocd histverify nocaseglob progcomp_alias'],
  },
  'zsh with all its options': {
    program: '/bin/zsh',
    args: ['-f', '-i', '+Z'],
    setup: [
      'setopt extendedglob rcquotes magicequalsubst kshglob globsubst shwordsplit nullglob interactivecomments braceccl cshjunkiehistory autocd numericglobsort globassign',
    ],
  },
};

/** Commands per plain shell, as the law requires; shells of the same program with other options get fewer (OTHERWISE). */
const COUNTS: Readonly<Record<string, number>> = { bash: 2000, zsh: 2000 };
const OTHERWISE = 200;

/** Commands per run of a shell; few enough for a slow machine. */
const BATCH = 250;

describe('an allowed command in a real shell', () => {
  test.for(Object.keys(shells))(
    'runs exactly the programs that were read, with exactly those arguments: %s',
    { timeout: 170_000 },
    async (name) => {
      const count = COUNTS[name] ?? OTHERWISE;
      for (const [seed, share, status] of [
        [FIXED_SEED, 0.5, 0],
        [FIXED_SEED + 1_000_000, 0.25, 1],
        [NEW_SEED, 0.25, 0],
      ] as const) {
        const commands = allowedCommands(count * share, seed);
        expect(commands.length, `seed ${seed}`).toBe(count * share);
        expect(await wrongRuns(shellOf(name), commands, status), `seed ${seed}`).toEqual([]);
      }
    },
  );

  test.for(Object.keys(shells))('whatever few signs it is made of: %s', { timeout: 170_000 }, async (name) => {
    const shell = { ...shellOf(name), setup: [...shellOf(name).setup, ...inTheShell(PROGRAMS)] };
    const length = IS_SOAK || name in COUNTS ? 5 : 4;
    for (const signs of SIGN_SETS) {
      const commands = followedBy('ls', signs, length).filter((cmd) => judge(cmd) === 'allow' && canRun(cmd));
      expect(commands.length).toBeGreaterThan(length === 5 ? 500 : 100);
      expect(await wrongRuns(shell, commands, 0)).toEqual([]);
    }
  });

  test.for([
    ['interactive bash', ["alias ls='p2 '", 'alias a=p2', "alias HEAD='p2 '"]],
    ['interactive zsh', ["alias ls='p2 '", 'alias -g a=p2', "alias -g HEAD='; p2'"]],
  ] as const)(
    'is changed by no alias but those of the words that could be one: %s',
    { timeout: 170_000 },
    async ([name, aliases]) => {
      const shell = { ...shellOf(name), setup: [...aliases, ...shellOf(name).setup] };
      const safe = allowedCommands(1500, NEW_SEED).filter((cmd) => {
        const words = aliasableWords(cmd);
        return !words.some((word) => ['ls', 'a', 'HEAD'].includes(word));
      });
      expect(safe.length).toBeGreaterThan(100);
      expect(await wrongRuns(shell, safe.slice(0, 150), 0), `seed ${NEW_SEED}`).toEqual([]);
      // This is why shells report global aliases: without the report, the policy allows this command, but another one runs.
      expect(await bench.run(shell, ['ls a'], 0)).toEqual([[['p2', 'ready']], [['p2', 'p2']]]);
    },
  );

  test.for(['interactive bash', 'interactive zsh'])(
    'starts nothing else, as the kernel sees it: %s',
    async (name, { skip }) => {
      const shell = shellOf(name);
      const commands = allowedCommands(100, NEW_SEED);
      const started = await bench.trace(shell, commands);
      if (started === null) return skip('no tracer may look here');
      const allowed = new Set([shell.program, ...['p1', 'ls', 'git'].map((program) => bench.pathOf(program))]);
      expect(
        started.filter((path) => !allowed.has(path)),
        `seed ${NEW_SEED}`,
      ).toEqual([]);
      expect(started.length).toBeGreaterThan(commands.length);
    },
  );
});

function shellOf(name: string): BenchShell {
  const shell = shells[name];
  if (!shell) throw new Error(`No shell "${name}"`);
  return shell;
}

async function wrongRuns(shell: BenchShell, commands: readonly string[], status: number): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (let from = 0; from < commands.length; from += BATCH) {
    const batch = commands.slice(from, from + BATCH);
    const [setup, ...ran] = await bench.run(shell, batch, status);
    if (JSON.stringify(setup) !== JSON.stringify([['p2', 'ready']])) wrong.push({ setup });
    batch.forEach((cmd, at) => {
      const [expected, seen] = [sorted(expectedRuns(cmd, status)), sorted(ran[at] ?? [])];
      if (JSON.stringify(expected) !== JSON.stringify(seen)) wrong.push({ cmd, expected, seen });
    });
  }
  return wrong.slice(0, 5);
}
