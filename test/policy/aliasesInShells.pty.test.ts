import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { ShellAliasTable } from '../../src-main/contract/mcp/aliasWords.ts';
import { expandAliases } from '../../src-main/policy/expandAliases.ts';
import { parseCommand } from '../../src-main/policy/parseCommand.ts';
import { type BenchShell, inTheShell, type Ran, ShellBench } from './ShellBench.ts';

const NAMES = ['p1', 'p2', 'p3', 'a1', 'a2'];
const bench = new ShellBench(NAMES, []);
afterAll(() => bench.dispose());

const SHELLS: Readonly<Record<string, BenchShell>> = {
  bash: { program: '/bin/bash', args: ['--norc', '--noprofile', '-i'], setup: inTheShell(NAMES) },
  zsh: { program: '/bin/zsh', args: ['-f', '-i', '+Z'], setup: inTheShell(NAMES) },
};

const word = fc.constantFrom(...NAMES, '-x', 'z', '"q q"', 'p1', '--c=auto');
const simple = fc
  .tuple(fc.constantFrom(...NAMES), fc.array(word, { maxLength: 3 }))
  .map((words) => words.flat().join(' '));
const command = fc
  .tuple(simple, fc.array(fc.tuple(fc.constantFrom('; ', ' && ', ' | '), simple), { maxLength: 2 }))
  .map((parts) => parts.flat(2).join(''));
const value = fc
  .tuple(fc.constantFrom('', ' '), command, fc.constantFrom('', ' ', ' -y'))
  .map((parts) => parts.join(''));
const table = fc.dictionary(fc.constantFrom(...NAMES), value, { minKeys: 1, maxKeys: 4 });

function wordsOf(aliases: Record<string, string>): ShellAliasTable {
  const none = new Set<string>();
  return {
    aliases: new Map(Object.entries(aliases)),
    globals: none,
    suffixes: none,
    functions: none,
    checked: new Set(NAMES),
  };
}

/** The expected programs; all of them run, because every program succeeds. */
function expectedRuns(text: string): readonly Ran[] {
  const parsed = parseCommand(text);
  if (!('commands' in parsed)) throw new Error(`not understood: ${text}`);
  return parsed.commands.map(({ words }) => words.map((one) => one.text));
}

const sorted = (runs: readonly Ran[]): string[] => runs.map((run) => JSON.stringify(run)).sort();

test.each(Object.keys(SHELLS))(
  'law: what a command stands for is what runs: %s',
  { timeout: 170_000 },
  async (name) => {
    const shell = SHELLS[name];
    if (!shell) throw new Error(name);
    const cases = fc.sample(fc.record({ aliases: table, cmd: command }), { seed: 20_261_122, numRuns: 250 });
    const known = cases.flatMap(({ aliases, cmd }) => {
      const { text } = expandAliases(cmd, wordsOf(aliases));
      return text === null ? [] : [{ aliases, cmd, text }];
    });
    expect(known.length).toBeGreaterThan(150);
    expect(known.filter(({ cmd, text }) => cmd !== text).length).toBeGreaterThan(75);
    const lines = known.flatMap(({ aliases, cmd }) => [
      `alias ${Object.entries(aliases)
        .map(([alias, stands]) => `${alias}='${stands}'`)
        .join(' ')}`,
      cmd,
      'unalias -a',
    ]);
    const ran = await bench.run(shell, lines, 0);
    const wrong = known.filter(
      ({ text }, at) => sorted(ran[3 * at + 2] ?? []).join() !== sorted(expectedRuns(text)).join(),
    );
    expect(wrong).toEqual([]);
  },
);
