import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, TestCore, until } from '../../support/TestCore.ts';

describe.each(['bash', 'zsh', 'fish'])('a command from the composer in %s', (shell) => {
  let test_: TestCore;

  beforeAll(async () => {
    test_ = await TestCore.start();
  });

  afterAll(() => test_.dispose());

  test('is not joined with what already stands in the line', async () => {
    const terminal = await test_.open(shell);
    await runCommand(terminal, 'true');
    terminal.type('echo half a li');
    const block = await runCommand(terminal, 'echo whole');
    expect(block).toMatchObject({ cmd: 'echo whole', exitCode: 0, outputLines: 1 });
  });

  test('is not joined with what was typed ahead while another one ran', async () => {
    const terminal = await test_.open(shell);
    const running = runCommand(terminal, 'sleep 0.5');
    await until(terminal, ({ book }) => book.runningId !== null);
    terminal.type('echo ahead');
    await running;
    const block = await runCommand(terminal, 'echo whole');
    expect(block).toMatchObject({ cmd: 'echo whole', exitCode: 0 });
  });

  test('of several lines keeps its text', async () => {
    const terminal = await test_.open(shell);
    const loop = shell === 'fish' ? 'for i in 1 2\n  echo $i\nend' : 'for i in 1 2; do\n  echo $i\ndone';
    const block = await runCommand(terminal, loop);
    expect(block).toMatchObject({ cmd: loop, exitCode: 0, outputLines: 2, trusted: true });
  });

  test('is refused while another one runs', async () => {
    const terminal = await test_.open(shell);
    const running = runCommand(terminal, 'sleep 0.3');
    await until(terminal, ({ book }) => book.runningId !== null);
    expect(await terminal.submit('echo no')).toEqual({ ok: false, reason: 'busy' });
    await running;
  });
});
