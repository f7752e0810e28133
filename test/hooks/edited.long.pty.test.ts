import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { spawn } from 'node-pty';
import { afterEach, expect, test } from 'vitest';
import { fuzzSeed } from '../support/fuzzRuns.ts';
import { TestCore, until } from '../support/TestCore.ts';

/** Commands per session; every other one is a single line that the next one recalls. */
const COMMANDS = 14;

const word = fc.string({ unit: fc.constantFrom(...'abcxyz019-_.,:+@%'), minLength: 1, maxLength: 9 });

/** Keys that edit the line and can only leave words in it. */
const edit = fc.oneof(
  word,
  word.map((text) => ` ${text}`),
  fc.constantFrom('\x1b[D', '\x1b[D\x1b[D\x1b[D', '\x1b[C', '\x01', '\x05', '\x02', '\x06', '\x1bb', '\x1bf'),
  fc.constantFrom('\x7f', '\x7f\x7f', '\x1b[3~', '\x0b', '\x17', '\x1bd', '\x14', '\x0b\x19', '\x17 \x19'),
  fc.constantFrom('  ', ' alp\t', ' uniq\t', '\x1b[200~pasted words\x1b[201~', '\x1f'),
);
/** An edited line. `n` is the number of the previous command, for a search; only a first line has it, as later ones would find themselves. */
const edited = (n?: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.oneof(
        word.map((text) => `echo ${text}`),
        fc.constant('\x1b[A\x1b[A'),
        fc.constant(n === undefined ? '\x1b[A\x1b[A' : `\x12tag${n}z\x05`),
      ),
      fc.array(edit, { maxLength: 5 }),
    )
    .map(([start, keys]) => `${start}${keys.join('')}\x05`);

/** Several ways to type the same text with corrections. */
const structure = {
  for: fc.constantFrom('for i in 1 2', 'or i in 1 2\x01f\x05', 'for i in 1  2 3\x7f\x7f', 'fro\x14\x7fr i in 1 2 '),
  do: fc.constantFrom('do', 'od\x14', 'd\x01\x05o', '  do', 'do  '),
  done: fc.constantFrom('done', 'doen\x14', 'donee\x7f', 'one\x01d\x05', 'done '),
};

const shape = (n: number): fc.Arbitrary<string[]> =>
  fc.oneof(
    fc
      .tuple(structure.for, structure.do, edited(n), fc.array(edited(), { maxLength: 2 }), structure.done)
      .map(([a, b, first, more, c]) => [a, b, first, ...more, ':', c]),
    fc.tuple(word, word, word).map(([a, b, c]) => [`echo '${a}`, `${b}x\x1b[D\x7f${c}`, `${c}'`]),
    fc.tuple(edited(n), edited()).map(([a, b]) => ['if true', 'then', a, ':', 'else', b, ':', 'if\x01\x0b\x19\x14']),
    fc.tuple(edited(n), edited()).map(([a, b]) => ['{', a, b, ':', '}']),
  );

function session(seed: number): string[][] {
  return Array.from({ length: COMMANDS }, (_, n) =>
    n % 2 === 0 ? [`echo tag${n}z`] : (fc.sample(shape(n - 1), { numRuns: 1, seed: seed + n })[0] ?? []),
  );
}

const RC = "PS1='$ '; PS2='> '; bind 'set enable-bracketed-paste on'; bind 'set bell-style none'\n";
const FILES = ['alpha.txt', 'unique-name'];

let core: TestCore | undefined;
let reference: string | undefined;
afterEach(async () => {
  await core?.dispose();
  if (reference) rmSync(reference, { recursive: true, force: true });
  core = reference = undefined;
});

/** The commands as a bash without the hook read them; its literal history keeps the lines of a command unchanged. */
async function readByBash(commands: readonly string[][]): Promise<string[]> {
  const home = mkdtempSync(join(tmpdir(), 'hansard-bare-'));
  reference = home;
  for (const file of FILES) writeFileSync(join(home, file), '');
  writeFileSync(
    join(home, '.bashrc'),
    `${RC}shopt -s lithist\nHISTFILE=~/h HISTTIMEFORMAT=%s PROMPT_COMMAND='history -a'\n`,
  );
  const pty = spawn('/usr/bin/bash', ['-i'], {
    cols: 100,
    rows: 30,
    cwd: home,
    env: { HOME: home, PATH: '/usr/bin:/bin', TERM: 'xterm-256color', LANG: 'C.UTF-8' },
  });
  let text = '';
  pty.onData((data) => {
    text += data;
  });
  const asks = (prompt: string) =>
    expect
      .poll(() => text.endsWith(prompt), { timeout: 15_000, interval: 5, message: JSON.stringify(text) })
      .toBe(true);
  await asks('$ ');
  for (const lines of commands)
    for (const [n, line] of lines.entries()) {
      text = '';
      pty.write(`${line}\r`);
      await asks(n + 1 < lines.length ? '> ' : '$ ');
    }
  pty.kill('SIGKILL');
  return readFileSync(join(home, 'h'), 'utf8')
    .trimEnd()
    .split(/(?:^|\n)#\d+\n/)
    .slice(1);
}

async function toldByCards(commands: readonly string[][], cols: number): Promise<(string | null)[]> {
  core = await TestCore.start();
  core.write('.bashrc', RC);
  for (const file of FILES) core.write(file, '');
  const terminal = await core.open('bash', { cols, rows: 30 });
  const raw = (): Buffer => readFileSync(join(core?.dataFolder ?? '', 'terminals', terminal.id, 'output.raw'));
  const cards: (string | null)[] = [];
  for (const lines of commands) {
    const before = terminal.book.lastSeq;
    for (const [n, line] of lines.entries()) {
      const from = raw().length;
      terminal.type(`${line}\r`);
      const asks = (): boolean => raw().toString('latin1', from).endsWith('> ');
      if (n + 1 < lines.length) await expect.poll(asks, { timeout: 15_000, interval: 5 }).toBe(true);
    }
    await until(terminal, ({ book, view }) => book.lastSeq > before && book.runningId === null && view.atPrompt);
    await terminal.screen.beginRows(); // the screen answers in order, so earlier requests are done
    const { blocks } = await terminal.book.page({ limit: 1 });
    cards.push(blocks[0]?.cmd ?? null);
  }
  return cards;
}

test.each([100, 24])(
  'bash tells commands whose lines were edited exactly or not at all, on %i columns',
  async (cols) => {
    const seed = fuzzSeed();
    const commands = session(seed);
    const read = await readByBash(commands);
    const told = await toldByCards(commands, cols);
    expect(read, `seed ${seed}`).toHaveLength(commands.length);
    expect(
      told.map((cmd, n) => cmd ?? read[n]),
      `seed ${seed}`,
    ).toEqual(read);
    // A line that an edit left blank is not in the history, and its blanks are not on the screen, so its text cannot be proved.
    expect(told.filter((cmd) => cmd === null).length, `seed ${seed}: ${JSON.stringify(told)}`).toBeLessThanOrEqual(3);
  },
  120_000,
);
