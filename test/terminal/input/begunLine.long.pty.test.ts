import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { runCommand, TestCore, until } from '../../support/TestCore.ts';

/** Keys typed at a prompt behind `echo half `, none of which runs the line. */
const KEYS: Readonly<Record<string, string>> = {
  home: '\x01',
  left: '\x1b[D',
  up: '\x1b[A',
  escape: '\x1b',
  'a digit argument': '\x1b3',
  'the history search': '\x12ec',
  'the next key quoted': '\x16',
  'half of a key': '\x18',
  completion: '\t\t',
  'a paste of two rows': '\x1b[200~one\rtwo\x1b[201~',
  'vi: the first column': '\x1b0',
  'vi: an operator': '\x1b0d',
  'vi: a letter to replace with': '\x1b0r',
};
/** Pieces of random keys. `a`, `e`, `v` and others start something behind Escape. */
const PIECES = [
  ...Object.values(KEYS),
  ...'bdix0 "\'',
  '\x02',
  '\x17',
  '\x19',
  '\x1f',
  '\x7f',
  '\x15',
  '\x1b[C',
  '\x1b[200~q',
];

const MODES: [name: string, shell: string, setUp: string][] = [
  ['bash', 'bash', 'true'],
  ['bash with keys of vi', 'bash', 'set -o vi'],
  ['zsh', 'zsh', 'true'],
  ['zsh with keys of vi', 'zsh', 'bindkey -v'],
  ['fish', 'fish', 'true'],
  ['fish with keys of vi', 'fish', 'fish_vi_key_bindings'],
];

let core: TestCore;
beforeAll(async () => {
  core = await TestCore.start();
});
afterAll(() => core.dispose());

describe.each(MODES)('in %s, a command from the composer', (_, shell, setUp) => {
  let terminal: PtyInstance;
  beforeAll(async () => {
    terminal = await prepared(shell, setUp);
  });

  test.each(Object.keys(KEYS))('runs alone after %s', async (name) => {
    expect(await afterKeys(terminal, KEYS[name] ?? '')).toEqual(['echo whole']);
  });

  test('runs alone or is refused after any keys', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }), async (keys) => {
        const ran = await afterKeys(terminal, keys.join(''));
        if (ran === null) terminal = await prepared(shell, setUp);
        else expect(ran).toEqual(['echo whole']);
      }),
      fuzzRuns(8),
    );
  });
});

async function prepared(shell: string, setUp: string): Promise<PtyInstance> {
  const terminal = await core.open(shell);
  await runCommand(terminal, setUp);
  return terminal;
}

/** Types these keys, then runs `echo whole` as the composer does. Returns what has run since the keys, null if the command was refused. */
async function afterKeys(terminal: PtyInstance, keys: string): Promise<(string | null)[] | null> {
  const before = terminal.book.lastSeq;
  const half = `echo half${before}`;
  terminal.type(`${half} `);
  await expect
    .poll(async () => (await terminal.screen.frame()).rows.some(({ text }) => text.includes(half)))
    .toBe(true);
  terminal.type(keys);
  const verdict = await terminal.submit('echo whole');
  if (!verdict.ok) {
    expect(verdict.reason).toBe('unfinished');
    expect(terminal.book.lastSeq).toBe(before);
    return null;
  }
  await until(terminal, ({ book, view }) => book.lastSeq > before && book.runningId === null && view.atPrompt);
  const { blocks } = await terminal.book.page({ limit: 20 });
  return blocks.filter(({ seq }) => seq > before).map(({ cmd }) => cmd);
}
