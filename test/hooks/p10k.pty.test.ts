import { afterEach, expect, test } from 'vitest';
import type { PtyInstance } from '../../src-main/terminal/PtyInstance.ts';
import { TestCore, until } from '../support/TestCore.ts';
import { P10K_STAND_IN } from './p10kStandIn.ts';

let core: TestCore;
afterEach(() => core.dispose());

const isQuiet = ({ book, view }: PtyInstance): boolean => book.runningId === null && view.atPrompt;

/** Types a command; resolves when its card has ended and the shell is at its prompt. */
async function run(terminal: PtyInstance, keys: string): Promise<void> {
  const before = terminal.book.lastSeq;
  terminal.type(`${keys}\r`);
  await until(terminal, ({ book }) => book.lastSeq > before);
  await until(terminal, isQuiet);
}

/** Types a line and Ctrl-C; resolves at the next prompt. */
async function interrupt(terminal: PtyInstance, keys: string): Promise<void> {
  const frame = async (): Promise<string> => (await terminal.screen.frame()).rows.map(({ text }) => text).join('\n');
  terminal.type(keys);
  await expect.poll(frame).toContain(keys.split('\r').at(-1));
  const prompts = (await frame()).split('❯').length;
  terminal.type('\x03');
  await expect.poll(async () => (await frame()).split('❯').length).toBeGreaterThan(prompts);
}

test('zsh with the marks and the transient prompt of powerlevel10k has the cards of its commands and no others', async () => {
  core = await TestCore.start();
  core.write('.zshrc', P10K_STAND_IN);
  const terminal = await core.open('zsh');
  const wanted: string[] = [];
  const command = async (text: string, keys = text.replaceAll('\n', '\r')): Promise<void> => {
    await run(terminal, keys);
    wanted.push(text);
  };
  // After a job, output at a prompt could be the job's.
  await command('sleep 0.01 &');
  await command('echo one');
  await interrupt(terminal, 'echo half');
  await command('echo two');
  await command('for i in 1 2\ndo\necho $i\ndone');
  await interrupt(terminal, "echo 'a\rb");
  await command('false');
  await command('false', '\x1b[A');
  await command("print -z 'echo stacked\necho more'");
  await command('echo stacked\necho more', '');
  terminal.type('echo ahead\recho of\recho time\r');
  wanted.push('echo ahead', 'echo of', 'echo time');
  const isOver = async (): Promise<boolean> =>
    (await terminal.book.page({ limit: 1 })).blocks[0]?.cmd === 'echo time' && isQuiet(terminal);
  await expect.poll(isOver).toBe(true);
  terminal.resize({ cols: 60, rows: 20 });
  await command('printf tail');
  const { blocks } = await terminal.book.page({ limit: 100 });
  expect(blocks.map(({ kind, cmd }) => (kind === 'command' ? cmd : { kind, cmd }))).toEqual(wanted);
  expect(blocks.every(({ trusted, endedBy }) => trusted && endedBy === 'mark')).toBe(true);
  expect(blocks[5]).toMatchObject({ exitCode: 1 });
  expect(terminal.view.quality.level).toBe('rich');
  const tail = blocks.at(-1);
  expect(
    tail &&
      (await terminal.book.reader.lines(tail.id, 0, 10)).lines.map(({ spans }) =>
        spans.map(({ text }) => text).join(''),
      ),
  ).toEqual(['tail']);
});
