import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { suiteFolder } from '../store/suiteFolder.ts';
import { soon } from '../support/soon.ts';
import { runCommand, TestCore, until } from '../support/TestCore.ts';

describe.each(['bash', 'zsh', 'fish'])('closing a tab of %s', (shell) => {
  let test_: TestCore;
  const shown = join(suiteFolder(`close-question-${shell}`), 'up');

  beforeAll(async () => {
    writeFileSync(shown, 'up\n');
    test_ = await TestCore.start();
  });

  afterAll(() => test_.dispose());

  const close = (id: string) => test_.core.close(id, false);

  test('asks by the text of a command in the very turn in which its line is sent', async () => {
    const terminal = await test_.open(shell);
    await runCommand(terminal, 'true');
    const sent = terminal.submit('sleep 60');
    expect(await close(terminal.id)).toEqual({ closed: false, running: ['sleep 60'] });
    await sent;
    await until(terminal, ({ book }) => book.runningId !== null);
    expect(await close(terminal.id)).toEqual({ closed: false, running: ['sleep 60'] });
  });

  test('asks for a typed line, too, and not for one that was erased', async () => {
    const terminal = await test_.open(shell);
    await runCommand(terminal, 'true');
    await until(terminal, ({ view }) => view.atPrompt);
    await soon(() => terminal.input.runningPrograms()).toEqual([]); // the prompt itself starts programs
    // The process has the same words as the line, so the answer is exact however fast the shell is.
    const line = `tail -f ${shown}`;
    terminal.type(`${line}\r`);
    expect(await close(terminal.id)).toEqual({ closed: false, running: [line] });
    // A shell loses a Ctrl+C that comes before its program has the terminal.
    await soon(async () => (await terminal.screen.frame()).rows.map(({ text }) => text.trim())).toContain('up');
    terminal.type('\x03');
    await until(terminal, ({ view }) => view.atPrompt);
    terminal.type('sleep 62\x15');
    await soon(() => close(terminal.id)).toEqual({ closed: true }); // a program that the prompt starts counts for a moment
  });

  test('asks for what the shell itself runs, which has no process', async () => {
    const terminal = await test_.open(shell);
    await runCommand(terminal, 'true');
    await terminal.submit('read answer');
    await until(terminal, ({ book }) => book.runningId !== null);
    expect(await close(terminal.id)).toEqual({ closed: false, running: ['read answer'] });
  });

  test('asks nothing after a command has ended, and nothing for an empty line', async () => {
    const terminal = await test_.open(shell);
    await runCommand(terminal, 'true');
    await until(terminal, ({ view }) => view.atPrompt);
    terminal.type('\r');
    await soon(() => close(terminal.id)).toEqual({ closed: true });
  });
});
