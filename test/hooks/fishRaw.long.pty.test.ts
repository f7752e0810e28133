import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { PtyInstance } from '../../src-main/terminal/PtyInstance.ts';
import { TestCore, until } from '../support/TestCore.ts';

let core: TestCore;
afterEach(() => core.dispose());

function rawOf(terminal: PtyInstance, from: number, to?: number): string {
  return readFileSync(join(core.dataFolder, 'terminals', terminal.id, 'output.raw'))
    .subarray(from, to)
    .toString('utf8');
}

/** Typed keys, and the bytes of the command itself as the terminal delivers them. */
const COMMANDS: [keys: string, raw: string][] = [
  ['true', ''],
  ['echo one', 'one\r\n'],
  ['printf abc', 'abc'],
  ['for i in 1 2\recho $i\rend', '1\r\n2\r\n'],
  [String.raw`printf '\e[31mred\e[m\n'`, '\x1b[31mred\x1b[m\r\n'],
  [String.raw`printf '\e]0;own\a\r'`, '\x1b]0;own\x07\r'],
  [
    // The command reads the terminal's replies, which would otherwise become part of the next command.
    String.raw`sh -c 'stty -icanon -echo min 0 time 5; printf "\033[?u\033[c\033]11;?\007asked\n"; cat > /dev/null; stty sane'`,
    '\x1b[?u\x1b[c\x1b]11;?\x07asked\r\n',
  ],
  ['echo', '\r\n'],
  [String.raw`printf '\r\n\rtwo'`, '\r\r\n\rtwo'],
  ['\x1b[200~echo pasted\necho twice\x1b[201~', 'pasted\r\ntwice\r\n'],
];

test.each([
  ['', ''],
  ['a title of its own', "function fish_title; echo 'in '(pwd); echo $argv; end"],
  ['the C locale', 'set -gx LC_ALL C'],
])('the raw bytes of a card of fish are those of its command (%s)', async (_, config) => {
  core = await TestCore.start();
  core.write('.config/fish/config.fish', config);
  const terminal = await core.open('fish');
  const isOver = (count: number) => async () =>
    (await terminal.book.page({ limit: 1 })).blocks[0]?.seq === count &&
    terminal.book.runningId === null &&
    terminal.view.atPrompt;
  for (const [n, [keys]] of COMMANDS.entries()) {
    terminal.type(`${keys}\r`);
    await expect.poll(isOver(n + 1), { timeout: 15_000 }).toBe(true);
  }
  // One command is interrupted; the rest is typed ahead.
  terminal.type("sh -c 'echo up; exec sleep 100'\r");
  await until(terminal, ({ book }) => (book.running?.outputBytes ?? 0) > 0);
  await expect.poll(() => rawOf(terminal, terminal.book.running?.rawStart ?? 0).includes('up')).toBe(true);
  terminal.type('\x03');
  await expect.poll(isOver(COMMANDS.length + 1), { timeout: 15_000 }).toBe(true);
  terminal.type('sleep 0.2\recho ahead\recho last\r');
  await expect.poll(isOver(COMMANDS.length + 4), { timeout: 15_000 }).toBe(true);
  const { blocks } = await terminal.book.page({ limit: 100 });
  const raws = blocks.map(({ rawStart, rawEnd }) => rawOf(terminal, rawStart, rawEnd ?? 0));
  expect(raws).toEqual([...COMMANDS.map(([, raw]) => raw), 'up\r\n^C', '', 'ahead\r\n', 'last\r\n']);
  expect(blocks.map(({ outputBytes }) => outputBytes)).toEqual(raws.map((raw) => Buffer.byteLength(raw)));
});
