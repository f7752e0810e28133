// The person's aliases and functions, in real shells with their own start-up files.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Approval } from '../../../src-main/contract/mcp/approval.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { type TestCore, until } from '../../support/TestCore.ts';
import { ALLOWING, answerNext, runAs, setPolicy, startWith } from './clients.ts';

let core: TestCore;
afterEach(async () => await core.dispose());

async function openWith(shell: string, rc: string): Promise<PtyInstance> {
  core = await startWith(ALLOWING);
  writeFileSync(join(core.home, `.${shell}rc`), rc);
  return core.open(shell);
}

/** Runs a command and denies its approval; returns the rule and reason of the approval, or null if the command ran without one. */
async function questionFor(terminal: PtyInstance, cmd: string): Promise<Pick<Approval, 'rule' | 'why'> | null> {
  const { approvals } = core.core.clients;
  const stop = new AbortController();
  let question: Approval | null = null;
  const following = (async () => {
    for await (const change of approvals.follow(stop.signal)) {
      if (change.type !== 'asked') continue;
      question = change.approval;
      approvals.answer(change.approval.id, { choice: 'deny', reason: '' });
    }
  })();
  const { status } = await runAs(core, terminal, cmd);
  stop.abort();
  await following;
  expect(status).toBe(question === null ? 'completed' : 'denied');
  return question;
}

/** Types a command as the person. */
async function typed(terminal: PtyInstance, cmd: string): Promise<void> {
  const { lastSeq } = terminal.book;
  terminal.type(`${cmd}\r`);
  await until(terminal, ({ book, view }) => book.lastSeq > lastSeq && book.runningId === null && view.atPrompt);
}

describe.each(['bash', 'zsh'])('%s', (shell) => {
  test('an allow of a word asks where the start-up files gave it to another program', async () => {
    const terminal = await openWith(
      shell,
      "alias ls='touch it-ran'\nalias cat='cat -n'\necho() { builtin echo \"$@\"; }",
    );
    expect(await questionFor(terminal, 'ls')).toMatchObject({
      rule: 'alias',
      why: 'ls is an alias in this shell: touch it-ran',
    });
    expect(await questionFor(terminal, 'cat /dev/null')).toBeNull();
    expect(await questionFor(terminal, 'echo x')).toMatchObject({ rule: 'function' });
    expect(await questionFor(terminal, 'seq 1')).toBeNull();
  });

  test('what the person types counts from the next prompt on, and until they take it back', async () => {
    const terminal = await openWith(shell, '');
    expect(await questionFor(terminal, 'seq 1')).toBeNull();
    await typed(terminal, "alias seq='touch x'");
    expect(await questionFor(terminal, 'seq 2')).toMatchObject({ rule: 'alias' });
    await typed(terminal, 'unalias seq');
    expect(await questionFor(terminal, 'seq 3')).toBeNull();
  });

  test('a rule that is new counts in a shell that was open before, from its next prompt on', async () => {
    const terminal = await openWith(shell, '');
    setPolicy(core, { exec: { allow: [{ argv: ['date'] }] } });
    expect(await questionFor(terminal, 'date')).toMatchObject({ rule: 'unknown_words' });
    await typed(terminal, 'true');
    expect(await questionFor(terminal, 'date')).toBeNull();
  });

  test('a report that the nonce does not vouch for is no report', async () => {
    const terminal = await openWith(shell, "alias ls='touch it-ran'");
    const clean = Buffer.from('a\x1ev\x1eg\x1es\x1ef\x1ecls').toString('base64');
    const forged = `\\e]7717;${'0'.repeat(34)};PROMPT;cwd_b64=Lw==;shell=${shell};version=1;words=1.1;words_b64=${clean}\\a`;
    await typed(terminal, `printf '${forged}'`);
    expect(await questionFor(terminal, 'ls')).toMatchObject({ rule: 'alias' });
  });
});

test('zsh: a global alias in the place of an argument asks', async () => {
  const terminal = await openWith('zsh', "alias -g L='; touch it-ran'");
  expect(await questionFor(terminal, 'echo L')).toMatchObject({ rule: 'alias' });
  expect(await questionFor(terminal, 'echo l')).toBeNull();
});

test('a command that comes before the first prompt waits for what the shell tells there', async () => {
  core = await startWith(ALLOWING);
  writeFileSync(join(core.home, '.bashrc'), 'sleep 0.5');
  const { id } = await core.core.open({ shell: 'bash', cols: 80, rows: 24 });
  expect(await questionFor(core.core.terminal(id), 'echo early')).toBeNull();
});

test('a shell that tells nothing asks for everything, once it has a prompt', async () => {
  const terminal = await openWith('bash', "PROMPT_COMMAND='alias seq=x$RANDOM'"); // a different alias at each prompt
  expect(await questionFor(terminal, 'echo x')).toMatchObject({ rule: 'unknown_words' });
  answerNext(core, { choice: 'once' });
  expect(await runAs(core, terminal, 'echo x')).toMatchObject({ status: 'completed', decision: { choice: 'once' } });
});
