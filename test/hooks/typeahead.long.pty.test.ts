import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { fuzzSeed } from '../support/fuzzRuns.ts';
import { TestCore, until } from '../support/TestCore.ts';

let core: TestCore;
afterEach(() => core.dispose());

/** Comments, editing keys and commands of several lines. */
const ODD_LINES = [
  '# note',
  'echo x\x7fy',
  'ech\x01\x05o z',
  'echo "open\rquote"',
  'echo a \\\rb',
  '\x1b[200~echo p\recho q\x1b[201~',
];

/** Keys typed while a command runs: the delay, whole lines, and perhaps half a line at the end. */
const burst = fc.record({
  afterMs: fc.integer({ min: 0, max: 500 }),
  lines: fc.array(fc.constantFrom('echo one', 'true', 'echo "two words"', '', ...ODD_LINES), { maxLength: 3 }),
  half: fc.constantFrom('', 'echo ha'),
});
const SESSIONS = 4;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test.each(['bash', 'zsh', 'fish'])(
  'what is typed ahead in %s makes no background card',
  async (shell) => {
    core = await TestCore.start();
    const terminal = await core.open(shell);
    const seed = fuzzSeed();
    for (const [n, { afterMs, lines, half }] of fc.sample(burst, { numRuns: SESSIONS, seed }).entries()) {
      // With a job in the background, output at a prompt could be the job's.
      terminal.type('sleep 0.01 & sleep 0.4\r');
      await wait(afterMs);
      for (const line of lines) terminal.type(`${line}\r`);
      terminal.type(half);
      await wait(100);
      terminal.type(`${half === '' ? 'echo' : ''} end-${n}\r`);
      const isOver = ({ book, view }: typeof terminal): boolean => book.runningId === null && view.atPrompt;
      const ended = async (): Promise<boolean> =>
        (await terminal.book.page({ limit: 1 })).blocks.some(({ cmd }) => cmd?.endsWith(`end-${n}`) === true);
      do await until(terminal, isOver);
      while (!(await ended()) && (await wait(10)) === undefined);
    }
    const { blocks } = await terminal.book.page({ limit: 100 });
    const background = blocks.filter(({ kind }) => kind === 'background');
    expect(
      await Promise.all(background.map(({ rawStart, outputBytes }) => ({ rawStart, outputBytes }))),
      `seed ${seed}`,
    ).toEqual([]);
  },
  60_000,
);

test.each([
  ['bash', ''],
  ['zsh', ''],
  ['zsh', 'RPROMPT="%F{red}right%f"'],
])('a job of %s that prints at a quiet prompt still has its background card, with %j', async (shell, zshrc) => {
  core = await TestCore.start();
  core.write('.zshrc', zshrc);
  const terminal = await core.open(shell);
  terminal.type('(sleep 0.4; echo from-the-job) &\r');
  const kinds = async () => (await terminal.book.page({ limit: 10 })).blocks.map(({ kind }) => kind);
  await expect.poll(kinds).toContain('background');
  const { blocks } = await terminal.book.page({ limit: 10 });
  const { lines } = await terminal.book.reader.lines(blocks.at(-1)?.id ?? '', 0, 1);
  expect(lines[0]?.spans.map(({ text }) => text).join('')).toBe('from-the-job');
});
