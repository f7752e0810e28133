import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalAnswer } from '../../../src-main/contract/mcp/approval.ts';
import type { ExecResult, ExecStatus } from '../../../src-main/contract/mcp/exec.ts';
import type { McpCaller } from '../../../src-main/contract/mcp/mcp.ts';
import { Policy } from '../../../src-main/contract/mcp/policy.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { TestCore } from '../../support/TestCore.ts';

/** A client as the socket reports it: outside of all terminals, verified by the kernel. */
export function caller(name = 'tester', more: Partial<McpCaller> = {}): McpCaller {
  return {
    connectionId: randomUUID(),
    account: name,
    owner: null,
    name,
    title: name,
    version: '1',
    pid: null,
    terminalId: null,
    isVerified: true,
    ...more,
  };
}

/** A core with this policy and the shortest typing hold that a policy allows. */
export async function startWith(policy: Record<string, unknown> = {}): Promise<TestCore> {
  const core = await TestCore.start();
  setPolicy(core, policy);
  return core;
}

export function setPolicy(core: TestCore, policy: Record<string, unknown>): void {
  const input = { typing_hold_ms: 1000, ...(policy.input as object | undefined) };
  const clients = { '*': { scopes: ['manage'] } }; // these tests bypass the gate, which checks scopes
  const text = JSON.stringify(Policy.parse({ version: 1, clients, ...policy, input }));
  writeFileSync(join(core.dataFolder, 'policy.json'), text, { mode: 0o600 });
}

/** Part of a policy that allows the programs of these tests without an approval. */
export const ALLOWING = {
  exec: { allow: ['echo', 'printf', 'true', 'false', 'sleep', 'ls', 'cat', 'seq'].map((argv) => ({ argv: [argv] })) },
};

export function runAs(core: TestCore, terminal: PtyInstance, cmd: string, more: object = {}): Promise<ExecResult> {
  return core.core.clients.exec.exec({ terminalId: terminal.id, cmd, waitMs: 20_000, ...more }, caller());
}

/** Answers only the next approval. */
export function answerNext({ core }: TestCore, answer: ApprovalAnswer): void {
  const stop = new AbortController();
  void (async () => {
    for await (const change of core.clients.approvals.follow(stop.signal)) {
      if (change.type !== 'asked') continue;
      core.clients.approvals.answer(change.approval.id, answer);
      return;
    }
  })();
}

/** Resolves with a client's command of the terminal that is in `status`, or is the next to reach it. */
export function whenStatus({ core }: TestCore, terminalId: string, status: ExecStatus): Promise<ExecResult> {
  const now = core.clients.exec.waiting(terminalId).find((ticket) => ticket.status === status);
  if (now) return Promise.resolve(now);
  return new Promise((resolve) => {
    const listening = core.clients.exec.onChange((ticket) => {
      if (ticket.terminalId !== terminalId || ticket.status !== status) return;
      listening.dispose();
      resolve(ticket);
    });
  });
}
