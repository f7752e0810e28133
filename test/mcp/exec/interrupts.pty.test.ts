import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditLine } from '../../../src-main/contract/mcp/audit.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { type TestCore, until } from '../../support/TestCore.ts';
import { showAgent } from './agentThere.ts';
import { ALLOWING, answerNext, caller, runAs, setPolicy, startWith } from './clients.ts';

const TYPING = { ...ALLOWING, input: { default: 'allow' } };
const MAY = { mayInterruptOthers: true };

let core: TestCore;

beforeAll(async () => {
  core = await startWith(TYPING);
});

afterAll(() => core.dispose());

const desk = () => core.core.clients.exec;

/** A terminal in which the person runs a long `sleep` with a unique argument. */
async function withSleep(): Promise<{ terminal: PtyInstance; cmd: string; blockId: string }> {
  const terminal = await core.open();
  const cmd = `sleep 60.${randomBytes(3).readUIntBE(0, 3)}`;
  void terminal.submit(cmd);
  await until(terminal, ({ book }) => book.runningId !== null);
  await new Promise((resolve) => setTimeout(resolve, 400)); // until the program has the terminal
  return { terminal, cmd, blockId: terminal.book.runningId ?? '' };
}

/** Audit entries about `what`, newest first. */
async function audited(what: string): Promise<Partial<AuditLine>[]> {
  const { lines } = await core.core.clients.audit.log.page({ limit: 50 });
  return lines
    .filter((line) => line.what === what)
    .map(({ tool, decision, rule, bytes }) => ({ tool, decision, rule, bytes }));
}

const line = (decision: string, rule: string | null, bytes = 0) => ({ tool: 'pty_interrupt', decision, rule, bytes });

describe("somebody else's program", () => {
  test('is stopped where clients may type, by its block and by its terminal, and the audit says so', async () => {
    const { terminal, cmd, blockId } = await withSleep();
    const done = await desk().interrupt({ blockId, terminalId: terminal.id }, caller(), MAY);
    expect(done).toMatchObject({ blockId, action: 'sent_sigint_key' });
    await until(terminal, ({ book }) => book.runningId === null);
    expect(await audited(cmd)).toEqual([line('allowed', 'input', 1)]);
    const other = await withSleep();
    await desk().interrupt({ terminalId: other.terminal.id }, caller(), MAY);
    await until(other.terminal, ({ book }) => book.runningId === null);
  });

  test.each([
    ['the policy denies typing', TYPING.exec, { default: 'deny' }, 'DENIED_BY_POLICY', 'denied', 'input'],
    ['the client may not type', TYPING.exec, { default: 'allow' }, 'NOT_ALLOWED_SCOPE', 'refused', 'NOT_ALLOWED_SCOPE'],
  ] as const)('is left alone where %s', async (_, exec, input, code, decision, rule) => {
    const { terminal, cmd, blockId } = await withSleep();
    setPolicy(core, { exec, input });
    const how = { mayInterruptOthers: code === 'DENIED_BY_POLICY' };
    const asked = desk().interrupt({ terminalId: terminal.id }, caller(), how);
    await expect(asked).rejects.toMatchObject({ code });
    expect(await audited(cmd)).toEqual([line(decision, rule)]);
    expect(terminal.book.runningId).toBe(blockId);
    setPolicy(core, TYPING);
  });

  test('is stopped by the word of the person where they are to be asked, and not without it', async () => {
    const { terminal, cmd, blockId } = await withSleep();
    setPolicy(core, { ...ALLOWING, input: { default: 'ask' } });
    answerNext(core, { choice: 'deny', reason: 'it is mine' });
    const asked = desk().interrupt({ terminalId: terminal.id }, caller(), MAY);
    await expect(asked).rejects.toMatchObject({ code: 'DENIED_BY_USER', details: { rule: 'input' } });
    expect(terminal.book.runningId).toBe(blockId);
    answerNext(core, { choice: 'once' });
    await desk().interrupt({ terminalId: terminal.id }, caller(), MAY);
    await until(terminal, ({ book }) => book.runningId === null);
    expect(await audited(cmd)).toEqual([line('approved', 'input', 1), line('denied', 'DENIED_BY_USER')]);
    setPolicy(core, TYPING);
  });

  test('is left alone while an agent there shows a dialog, or another client has the keys', async () => {
    const { terminal, cmd, blockId } = await withSleep();
    const agent = showAgent(terminal, 'needs_approval');
    const asked = desk().interrupt({ terminalId: terminal.id }, caller(), MAY);
    await expect(asked).rejects.toMatchObject({ code: 'DENIED_BY_POLICY', details: { rule: 'agent_dialogs' } });
    agent.restore();
    await core.core.clients.leases.request({ terminalId: terminal.id, reason: '', ttlS: 60 }, caller('other'));
    await expect(desk().interrupt({ terminalId: terminal.id }, caller(), MAY)).rejects.toMatchObject({ code: 'BUSY' });
    expect(terminal.book.runningId).toBe(blockId);
    expect(await audited(cmd)).toEqual([line('refused', 'BUSY'), line('denied', 'agent_dialogs')]);
  });

  test('that waits is taken out by the same right', async () => {
    const terminal = await core.open();
    terminal.type('echo half');
    const held = await runAs(core, terminal, 'echo of another', { waitMs: 0 });
    setPolicy(core, { ...ALLOWING, input: { default: 'deny' } });
    const target = { blockId: held.blockId };
    const asked = desk().interrupt(target, caller('other'), MAY);
    await expect(asked).rejects.toMatchObject({ code: 'DENIED_BY_POLICY' });
    setPolicy(core, TYPING);
    const done = await desk().interrupt(target, caller('other'), MAY);
    expect(done).toMatchObject({ action: 'removed_from_queue', status: 'cancelled' });
  });
});

test("a command of the client's own is stopped whatever the policy says of typing, but not by the name of another terminal", async () => {
  const terminal = await core.open();
  const elsewhere = await core.open();
  const { blockId } = await runAs(core, terminal, 'sleep 61', { waitMs: 0 });
  await until(terminal, ({ book }) => book.runningId === blockId);
  setPolicy(core, { ...ALLOWING, input: { default: 'deny' } });
  const how = { mayInterruptOthers: false };
  const beside = desk().interrupt({ blockId, terminalId: elsewhere.id }, caller(), how);
  await expect(beside).rejects.toMatchObject({ code: 'BLOCK_NOT_FOUND' });
  expect(await audited(blockId)).toEqual([line('refused', 'BLOCK_NOT_FOUND')]);
  const own = { blockId, terminalId: terminal.id };
  expect(await desk().interrupt(own, caller(), how)).toMatchObject({ action: 'sent_sigint_key' });
  expect(await desk().settled(blockId, 20_000)).toMatchObject({ status: 'interrupted' });
  setPolicy(core, TYPING);
});
