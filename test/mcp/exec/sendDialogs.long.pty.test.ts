import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InputRequest } from '../../../src-main/mcp/input/InputRequest.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { begin, TestCore, until } from '../../support/TestCore.ts';
import { showAgent } from './agentThere.ts';
import { ALLOWING, caller, setPolicy } from './clients.ts';
import { Wire } from './wire.ts';

const ASKING = { ...ALLOWING, input: { default: 'allow', agent_dialogs: 'ask' } };
/** Draws a dialog, and a second one after a key. `%s` keeps their texts out of the command line, which the terminal echoes. */
const DIALOGS = `clear; printf 'May I %s?' read; read -sn 1 k; clear; printf 'May I %s?' delete; cat`;

const wire = new Wire();
let core: TestCore;

beforeAll(async () => {
  core = await TestCore.start({ spawnPty: wire.spawn });
  setPolicy(core, ASKING);
});

afterAll(() => core.dispose());

async function withDialog(): Promise<{ terminal: PtyInstance; leaseId: string; restore(): void }> {
  const terminal = await core.open();
  await begin(terminal, DIALOGS);
  await shows(terminal, 'May I read\\?');
  const { id } = await core.core.clients.leases.request({ terminalId: terminal.id, reason: '', ttlS: 60 }, caller());
  return { terminal, leaseId: id, ...showAgent(terminal, 'needs_approval') };
}

async function shows(terminal: PtyInstance, pattern: string): Promise<void> {
  const condition = { type: 'match', pattern, flags: '', scope: 'screen' } as const;
  const waited = await terminal.screen.wait({ conditions: [condition], mode: 'any', timeoutMs: 10_000, scrollback: 0 });
  if ('error' in waited || waited.outcome === 'deadline') throw new Error(`${pattern} never showed`);
}

const send = (terminal: PtyInstance, leaseId: string, what: Partial<InputRequest>) =>
  core.core.clients.send.send({ terminalId: terminal.id, leaseId, ...what }, caller());

async function asked({ id }: PtyInstance) {
  const { approvals } = core.core.clients;
  for (;;) {
    const open = approvals.open.find(({ terminalId }) => terminalId === id);
    if (open) return { open, answer: () => approvals.answer(open.id, { choice: 'once' }) };
    await sleep(10);
  }
}

/** Returns a function for the text that is written to the terminal's shell from now on. */
function written(terminal: PtyInstance): () => string {
  const pid = terminal.input.shellPid;
  const before = wire.of(pid).length;
  return () => wire.of(pid).slice(before).join('');
}

test('keys for a dialog go into that dialog when the person has said yes', async () => {
  const { terminal, leaseId, restore } = await withDialog();
  const keys = written(terminal);
  const sent = send(terminal, leaseId, { keys: ['y'] });
  const { open, answer } = await asked(terminal);
  expect(open).toMatchObject({ kind: 'keys', cmd: 'y', rule: 'agent_dialogs' });
  answer();
  expect(await sent).toMatchObject({ bytesWritten: 1 });
  expect(keys()).toBe('y');
  restore();
});

test('keys for a dialog go into no other dialog, whatever the person said to the first', async () => {
  const { terminal, leaseId, restore } = await withDialog();
  const sent = send(terminal, leaseId, { keys: ['y'] });
  const { answer } = await asked(terminal);
  terminal.input.write('x'); // bypasses the lease, as if the agent continued by itself
  await shows(terminal, 'May I delete\\?');
  const keys = written(terminal);
  answer();
  await expect(sent).rejects.toMatchObject({ code: 'SEQ_MISMATCH' });
  expect(keys()).toBe('');
  restore();
});

test('a secret for one dialog is in no line of the audit when another one stands there', async () => {
  const { terminal, leaseId, restore } = await withDialog();
  const sent = send(terminal, leaseId, { text: 'hunter2-secret' });
  const { open, answer } = await asked(terminal);
  expect(open.cmd).toBe('hunter2-secret'); // the approval shows the keys to the person
  terminal.input.write('x');
  await shows(terminal, 'May I delete\\?');
  answer();
  await expect(sent).rejects.toMatchObject({ code: 'SEQ_MISMATCH' });
  expect(readFileSync(core.core.clients.audit.log.path, 'utf8')).not.toContain('hunter2');
  restore();
});

test('a yes counts no more when the policy has become a no', async () => {
  const { terminal, leaseId, restore } = await withDialog();
  const sent = send(terminal, leaseId, { keys: ['y'] });
  const { answer } = await asked(terminal);
  setPolicy(core, { ...ASKING, input: { default: 'allow', agent_dialogs: 'deny' } });
  answer();
  await expect(sent).rejects.toMatchObject({ code: 'DENIED_BY_POLICY', details: { rule: 'agent_dialogs' } });
  setPolicy(core, ASKING);
  restore();
});

test('keys for a dialog do not go into what stands there when it is gone', async () => {
  const { terminal, leaseId, restore } = await withDialog();
  const sent = send(terminal, leaseId, { text: 'yes', submit: true });
  const { answer } = await asked(terminal);
  terminal.input.write('x');
  await shows(terminal, 'May I delete\\?');
  restore();
  const keys = written(terminal);
  answer();
  await expect(sent).rejects.toMatchObject({ code: 'SEQ_MISMATCH' });
  expect(keys()).toBe('');
});

test('a yes to a line at the prompt is for the folder in which it was asked', async () => {
  const terminal = await core.open();
  const { id } = await core.core.clients.leases.request({ terminalId: terminal.id, reason: '', ttlS: 60 }, caller());
  const sent = send(terminal, id, { text: 'date', submit: true });
  const { open, answer } = await asked(terminal);
  expect(open).toMatchObject({ kind: 'command', cmd: 'date', rule: 'default' });
  terminal.input.write('cd /\r');
  await until(terminal, ({ view }) => view.cwd === '/' && view.atPrompt);
  answer();
  await expect(sent).rejects.toMatchObject({ code: 'CWD_MISMATCH' });
});

test('a refused line names its rule and the part of it that was refused', async () => {
  setPolicy(core, { ...ASKING, exec: { ...ALLOWING.exec, deny: [{ argv: ['rm'] }] } });
  const terminal = await core.open();
  const { id } = await core.core.clients.leases.request({ terminalId: terminal.id, reason: '', ttlS: 60 }, caller());
  await expect(send(terminal, id, { text: 'echo a; rm -r b', submit: true })).rejects.toMatchObject({
    code: 'DENIED_BY_POLICY',
    details: { rule: 'deny[0]', subcommand: 'rm -r b' },
  });
  setPolicy(core, ASKING);
});
