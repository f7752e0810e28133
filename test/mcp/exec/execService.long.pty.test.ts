import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditLine } from '../../../src-main/contract/mcp/audit.ts';
import type { ExecResult } from '../../../src-main/contract/mcp/exec.ts';
import { verifyAudit } from '../../../src-main/store/audit/verifyAudit.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { type TestCore, until } from '../../support/TestCore.ts';
import { ALLOWING, answerNext, caller, runAs, setPolicy, startWith, whenStatus } from './clients.ts';

let core: TestCore;

beforeAll(async () => {
  core = await startWith(ALLOWING);
});

afterAll(() => core.dispose());

const exec = () => core.core.clients.exec;

function auditOf(blockId: string): string[] {
  const lines = readFileSync(core.core.clients.audit.log.path, 'utf8').trimEnd().split('\n');
  return lines
    .map((line) => AuditLine.parse(JSON.parse(line)))
    .flatMap(({ what, decision }) => (what === blockId ? decision : []));
}

describe.each(['bash', 'zsh', 'fish'])('a command of an outside client in %s', (shell) => {
  let terminal: PtyInstance;

  beforeAll(async () => {
    terminal = await core.open(shell);
  });

  /** Hansard does not parse fish's grammar, so each command there needs an approval. */
  async function run(cmd: string, more: object = {}): Promise<ExecResult> {
    if (shell === 'fish') answerNext(core, { choice: 'once' });
    return runAs(core, terminal, cmd, more);
  }

  test('runs at an idle prompt, and its block has the id that was given and tells whose it was', async () => {
    const done = await run('echo one two');
    expect(done).toMatchObject({
      status: 'completed',
      fault: null,
      block: { id: done.blockId, exitCode: 0, cmd: 'echo one two', actor: 'agent:tester', outputLines: 1 },
    });
    expect(await terminal.book.get(done.blockId)).toMatchObject({ id: done.blockId, trusted: true });
  });

  test('waits while another one runs, and runs then', async () => {
    const first = terminal.submit('sleep 0.7');
    await until(terminal, ({ book }) => book.runningId !== null);
    const done = await run('echo after');
    await first;
    expect(done).toMatchObject({ status: 'completed', block: { cmd: 'echo after', actor: 'agent:tester' } });
    expect(done.queuedMs).toBeGreaterThan(100);
  });

  test('of many characters, wide ones and quotes is typed as it was given', async () => {
    const cmd = `echo '${'日本語 ü "x" '.repeat(30)}' '!' '$HOME' '\\n'`;
    answerNext(core, { choice: 'once' });
    expect(await runAs(core, terminal, cmd)).toMatchObject({ status: 'completed', block: { cmd, exitCode: 0 } });
  });

  test('that exactly fills its rows is seen as it was typed', async () => {
    for (const length of [118, 119, 120, 121, 238, 240]) {
      const cmd = `echo ${'x'.repeat(length - 5 - (length % 7))}`;
      expect(await run(cmd), `of ${cmd.length} characters`).toMatchObject({ status: 'completed', block: { cmd } });
    }
  });

  test('of several lines runs as one', async () => {
    const cmd = 'echo a\necho b';
    answerNext(core, { choice: 'once' });
    const done = await runAs(core, terminal, cmd, { allowMultiline: true });
    expect(done).toMatchObject({ status: 'completed', cmdRequested: cmd, block: { outputLines: 2 } });
    expect(done.block?.cmd).toBe(done.cmd);
  });

  test('is ended by its timeout', async () => {
    const done = await run('sleep 30', { timeoutMs: 1000 });
    expect(done).toMatchObject({ status: 'interrupted', block: { signal: 'SIGINT' } });
  });

  test("never touches what stands in the person's line, and never runs while it stands there", async () => {
    await until(terminal, ({ view }) => view.atPrompt);
    terminal.type('echo half');
    const held = await run('echo mine', { waitMs: 1500, queueTimeoutMs: 2500 });
    expect(held.status).toBe('held');
    expect((await terminal.screen.frame()).rows.map(({ text }) => text).join('\n')).toContain('echo half');
    const over = await exec().settled(held.blockId, 10_000);
    expect(over).toMatchObject({ status: 'expired', block: null, fault: { code: 'USER_TYPING' } });
    const { lastSeq } = terminal.book;
    terminal.type(' line\r');
    await until(terminal, ({ book, view }) => book.lastSeq > lastSeq && book.runningId === null && view.atPrompt);
    const { blocks } = await terminal.book.page({ limit: 1 });
    expect(blocks[0]).toMatchObject({ cmd: 'echo half line', actor: 'user' });
  });
});

describe('a command of an outside client', () => {
  test('that no rule names waits for the person, who sees all of it, and then runs', async () => {
    const terminal = await core.open();
    const asked = exec().exec(
      { terminalId: terminal.id, cmd: 'date +%Y', reason: 'what year is it', waitMs: 15_000 },
      caller(),
    );
    const ticket = await whenStatus(core, terminal.id, 'awaiting_approval');
    const [approval] = core.core.clients.approvals.open;
    expect(approval).toMatchObject({
      blockId: ticket.blockId,
      cmd: 'date +%Y',
      reason: 'what year is it',
      rule: 'default',
      cwd: terminal.view.cwd,
      client: { name: 'tester' },
    });
    core.core.clients.approvals.answer(approval?.id ?? '', { choice: 'exact' });
    expect(await asked).toMatchObject({
      status: 'completed',
      decision: { by: 'user', choice: 'exact', rule: 'default' },
    });
    const again = await runAs(core, terminal, 'date +%Y');
    expect(again).toMatchObject({ status: 'completed', decision: { by: 'user', choice: 'exact', rule: 'default' } });
  });

  test('that was approved for one folder is not run in another', async () => {
    const terminal = await core.open();
    mkdirSync(join(core.home, 'elsewhere'), { recursive: true });
    const asked = exec().exec({ terminalId: terminal.id, cmd: 'date', waitMs: 20_000 }, caller());
    await whenStatus(core, terminal.id, 'awaiting_approval');
    terminal.type('cd elsewhere\r');
    await until(terminal, ({ view }) => view.cwd.endsWith('elsewhere') && view.atPrompt);
    const [approval] = core.core.clients.approvals.open;
    core.core.clients.approvals.answer(approval?.id ?? '', { choice: 'once' });
    expect(await asked).toMatchObject({ status: 'cancelled', block: null, fault: { code: 'CWD_MISMATCH' } });
  });

  test('that the person denies is denied with their words', async () => {
    const terminal = await core.open();
    answerNext(core, { choice: 'deny', reason: 'not today' });
    const done = await runAs(core, terminal, 'date');
    expect(done).toMatchObject({ status: 'denied', block: null, fault: { code: 'DENIED_BY_USER' } });
    expect(done.fault?.message).toContain('not today');
    expect(auditOf('date')).toContain('denied');
  });

  test('that the policy denies is refused at once, with its rule', async () => {
    const terminal = await core.open();
    setPolicy(core, { exec: { ...ALLOWING.exec, deny: [{ argv: ['rm'] }] } });
    await expect(runAs(core, terminal, 'rm -rf x')).rejects.toMatchObject({
      code: 'DENIED_BY_POLICY',
      details: { rule: 'deny[0]' },
    });
    setPolicy(core, ALLOWING);
    expect(auditOf('rm -rf x')).toEqual(['denied']);
  });

  test('that is longer than the screen is refused before anybody is asked', async () => {
    const terminal = await core.open('bash', { cols: 40, rows: 10 });
    await expect(runAs(core, terminal, `date ${'x'.repeat(800)}`)).rejects.toMatchObject({
      code: 'TOO_LARGE',
      message: expect.stringContaining('longer than the screen'),
    });
    expect(core.core.clients.approvals.open).toEqual([]);
  });

  test('runs in another folder without moving the shell', async () => {
    const terminal = await core.open();
    const folder = join(core.home, "it's here");
    mkdirSync(folder);
    const done = await runAs(core, terminal, 'ls -d .', { cwd: realpathSync(folder) });
    expect(done).toMatchObject({ status: 'completed', cmdRequested: 'ls -d .', block: { exitCode: 0 } });
    expect(done.cmd).toContain(' && ls -d . )');
    expect(terminal.view.cwd).not.toContain('here');
    await expect(runAs(core, terminal, 'ls', { cwd: 'relative' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  test('is refused where the shell does not stand where it was expected', async () => {
    const terminal = await core.open();
    await expect(runAs(core, terminal, 'ls', { expectedCwd: '/nowhere' })).rejects.toMatchObject({
      code: 'CWD_MISMATCH',
    });
  });

  test('under the same key is one command', async () => {
    const terminal = await core.open();
    const more = { idempotencyKey: 'k1' };
    const [a, b] = await Promise.all([
      runAs(core, terminal, 'echo once', more),
      runAs(core, terminal, 'echo once', more),
    ]);
    expect(a.blockId).toBe(b.blockId);
    expect(terminal.book.lastSeq).toBe(1);
    await expect(runAs(core, terminal, 'echo other', more)).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  test('is taken out of the queue by its client, and by nobody else', async () => {
    const terminal = await core.open();
    terminal.type('echo half');
    const held = await runAs(core, terminal, 'echo never', { waitMs: 0 });
    const target = { blockId: held.blockId };
    const other = exec().interrupt(target, caller('other'), { mayInterruptOthers: false });
    await expect(other).rejects.toMatchObject({ code: 'NOT_ALLOWED_SCOPE' });
    expect(await exec().interrupt(target, caller(), { mayInterruptOthers: false })).toMatchObject({
      action: 'removed_from_queue',
      status: 'cancelled',
    });
    expect(exec().byId(held.blockId)).toMatchObject({ status: 'cancelled', block: null });
  });

  test('is taken out when its caller goes before it was sent', async () => {
    const terminal = await core.open();
    terminal.type('echo half');
    const gone = new AbortController();
    const asked = exec().exec({ terminalId: terminal.id, cmd: 'echo never', waitMs: 20_000 }, caller(), gone.signal);
    await whenStatus(core, terminal.id, 'held');
    gone.abort();
    expect(await asked).toMatchObject({ status: 'cancelled', block: null });
  });

  test('that runs is stopped by Ctrl-C', async () => {
    const terminal = await core.open();
    const started = await runAs(core, terminal, 'sleep 60', { waitMs: 0 });
    await until(terminal, ({ book }) => book.runningId === started.blockId);
    const done = await exec().interrupt({ terminalId: terminal.id }, caller(), { mayInterruptOthers: false });
    expect(done).toMatchObject({ blockId: started.blockId, action: 'sent_sigint_key' });
    expect(await exec().settled(started.blockId, 20_000)).toMatchObject({ status: 'interrupted' });
  });

  test('that is no whole command fails to start, leaves the prompt clean, and is not tried again', async () => {
    const terminal = await core.open();
    answerNext(core, { choice: 'once' });
    const done = await runAs(core, terminal, "echo 'open");
    expect(done).toMatchObject({ status: 'failed_to_start', block: null });
    expect(done.screen).toContain("echo 'open");
    const next = await runAs(core, terminal, 'echo clean');
    expect(next).toMatchObject({ status: 'completed', block: { cmd: 'echo clean' } });
  });

  test('is never typed into a full-screen program or a running one', async () => {
    const terminal = await core.open();
    void terminal.submit("printf '\\033[?1049h'; sleep 3; printf '\\033[?1049l'");
    await until(terminal, ({ view }) => view.altScreen);
    const idle = await exec().idleOf(terminal.id);
    expect(idle.reasons).toEqual(expect.arrayContaining(['block_running', 'alt_screen']));
    expect(await runAs(core, terminal, 'echo then')).toMatchObject({ status: 'completed' });
  });

  test('ends when the terminal is closed', async () => {
    const terminal = await core.open();
    terminal.type('echo half');
    const held = runAs(core, terminal, 'echo never');
    await whenStatus(core, terminal.id, 'held');
    await core.core.close(terminal.id, true);
    expect(await held).toMatchObject({ status: 'cancelled', fault: { code: 'PTY_GONE' } });
  });

  test('is refused in its own terminal, and with an agent there to those who cannot be placed', async () => {
    const terminal = await core.open();
    const own = caller('tester', { terminalId: terminal.id });
    await expect(exec().exec({ terminalId: terminal.id, cmd: 'ls' }, own)).rejects.toMatchObject({ code: 'SELF_PTY' });
    await expect(exec().exec({ terminalId: 'nowhere', cmd: 'ls' }, caller())).rejects.toMatchObject({
      code: 'PTY_GONE',
    });
  });

  test('is in the audit, whose chain holds', async () => {
    expect(await verifyAudit(core.core.clients.audit.log.path)).toMatchObject({ ok: true });
    expect(auditOf('echo clean')).toEqual(['allowed']);
    expect(auditOf("echo 'open")).toEqual(['approved']);
  });
});
