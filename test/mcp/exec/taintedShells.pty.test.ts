import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { type TestCore, until } from '../../support/TestCore.ts';
import { ALLOWING, answerNext, runAs, startWith } from './clients.ts';

let core: TestCore;

beforeAll(async () => {
  core = await startWith(ALLOWING);
});
afterAll(() => core.dispose());

/** Runs a command, answers its approval with `choice`, and returns the rule of the approval. */
async function asked(terminal: PtyInstance, cmd: string, choice: 'once' | 'exact' | 'deny' = 'once'): Promise<string> {
  const stop = new AbortController();
  const rule = (async () => {
    for await (const change of core.core.clients.approvals.follow(stop.signal)) {
      if (change.type === 'asked') return change.approval.rule;
    }
    return 'nothing';
  })();
  answerNext(core, choice === 'deny' ? { choice, reason: '' } : { choice });
  const { status } = await runAs(core, terminal, cmd);
  stop.abort();
  expect(status).toBe(choice === 'deny' ? 'denied' : 'completed');
  return rule;
}

test('what a rule allows is asked for in a shell whose words an agent may have changed, and there alone', async () => {
  const terminal = await core.open();
  const other = await core.open();
  expect(await runAs(core, terminal, 'echo one')).toMatchObject({ status: 'completed', decision: { by: 'policy' } });
  expect(await asked(terminal, "alias other='printf evil'")).toBe('builtin');
  expect(await asked(terminal, 'echo two', 'deny')).toBe('changed_shell');
  expect(await runAs(core, other, 'echo three')).toMatchObject({ status: 'completed', decision: { by: 'policy' } });
});

test('what was allowed until the terminal is closed is asked for once more behind it, and can be allowed again', async () => {
  const terminal = await core.open();
  answerNext(core, { choice: 'exact' });
  expect(await runAs(core, terminal, 'date')).toMatchObject({ status: 'completed' });
  expect(await runAs(core, terminal, 'date')).toMatchObject({ status: 'completed', decision: { choice: 'exact' } });
  await asked(terminal, 'export LC_ALL=C');
  expect(await asked(terminal, 'date', 'exact')).toBe('default'); // needs a new approval, because the earlier one does not apply any more
  expect(await runAs(core, terminal, 'date')).toMatchObject({ status: 'completed', decision: { choice: 'exact' } });
});

test('a subshell changes nothing, nor does what the person types, nor a command that was refused', async () => {
  const terminal = await core.open();
  answerNext(core, { choice: 'once' });
  await runAs(core, terminal, 'export A=b', { cwd: '/tmp' });
  terminal.type('alias other=printf\r'); // the shell reports the person's own aliases (shellWords.long.pty.test.ts)
  await until(terminal, ({ book, view }) => book.runningId === null && view.atPrompt && book.lastSeq > 1);
  await asked(terminal, 'alias ls=rm', 'deny');
  expect(await runAs(core, terminal, 'echo still')).toMatchObject({ decision: { by: 'policy' } });
});

test('the next shell in the terminal is one like any other', async () => {
  const terminal = await core.open();
  await asked(terminal, 'set -o posix');
  expect(await asked(terminal, 'echo asked')).toBe('changed_shell');
  terminal.type('exit\r');
  await until(terminal, ({ view }) => view.state === 'exited');
  await terminal.restart();
  await until(terminal, ({ view }) => view.atPrompt);
  expect(await runAs(core, terminal, 'echo anew')).toMatchObject({ decision: { by: 'policy' } });
});
