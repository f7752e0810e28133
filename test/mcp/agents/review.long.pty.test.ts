import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditLine } from '../../../src-main/contract/mcp/audit.ts';
import { verifyAudit } from '../../../src-main/store/audit/verifyAudit.ts';
import { installDrawnAgent } from '../../support/installDrawnAgent.ts';
import { type Connected, call, refusal } from '../mcpClient.ts';
import { ServedMcp } from '../ServedMcp.ts';

const served = new ServedMcp();
let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
let mcp: Connected;
let id: string;

const INPUT = { default: 'allow', agent_dialogs: 'ask', typing_hold_ms: 1000 };

function setPolicy(input: object = INPUT): void {
  const policy = { version: 1, clients: { '*': { scopes: ['input'] } }, input };
  writeFileSync(join(served.app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
}

beforeAll(async () => {
  ({ link, mcp, id } = await served.start({ cols: 100, rows: 40 }, { name: 'reviewer' }));
  setPolicy();
}, 60_000);

afterAll(() => served.dispose());

/** Answers the next approval as the person, and resolves with its text. */
function nextApproval(choice: 'once' | 'deny'): Promise<string> {
  return new Promise((resolve, reject) => {
    const following = link.api.approval.onChange.subscribe(undefined, {
      onData: (change) => {
        const approval =
          change.type === 'asked' ? change.approval : change.type === 'all' ? change.approvals[0] : undefined;
        if (!approval) return;
        following.unsubscribe();
        const answer = choice === 'once' ? { choice } : { choice, reason: 'not this one' };
        link.api.approval.answer.mutate({ id: approval.id, answer }).then(() => resolve(approval.cmd), reject);
      },
      onError: reject,
    });
  });
}

async function audited(): Promise<AuditLine[]> {
  const { lines } = await link.api.audit.page.query({ filter: { client: 'reviewer', reads: false }, limit: 100 });
  return lines.toReversed();
}

async function prompts(): Promise<{ text: string; actor: string }[]> {
  const { messages } = await call(mcp.client, 'agents_read', { pty_id: id, limit: 100, max_chars: 100_000 });
  return messages.filter(({ kind }: { kind: string }) => kind === 'user');
}

const agents = async () => (await call(mcp.client, 'agents_list')).agents;

test('a client asks another agent for a review, answers what it asks, and each hop is in the audit', async () => {
  const text = installDrawnAgent(served.app.home);
  await expect.poll(() => link.api.terminal.submit.mutate({ id, text })).toMatchObject({ ok: true });
  await expect.poll(async () => (await agents())[0]?.state, { timeout: 20_000 }).toBe('idle');
  expect(await agents()).toMatchObject([{ pty_id: id, tab: 1, agent: 'codex' }]);

  const review = await call(mcp.client, 'agents_prompt', { pty_id: id, text: 'Review the change.', wait_ms: 30_000 });
  expect(review).toMatchObject({ outcome: 'sent', state: 'idle' });
  expect(review.messages.map(({ text }: { text: string }) => text).join('\n')).toContain(
    'of the answer to Review the change.',
  );
  expect(new Set(review.messages.map(({ actor }: { actor: string }) => actor))).toEqual(new Set(['codex']));

  // The answer is longer than the screen, so a full redraw draws it again together with the prompt.
  await expect
    .poll(async () => (await prompts()).map(({ text }) => text), { timeout: 30_000 })
    .toEqual(['Review the change.']);
  const { resume_cursor } = await call(mcp.client, 'agents_prompt', { pty_id: id, text: 'ask 2' });
  const asking = await call(mcp.client, 'agents_read', { pty_id: id, cursor: resume_cursor, wait_ms: 30_000 });
  expect(asking).toMatchObject({
    state: 'needs_approval',
    question: { text: expect.stringContaining('npm test part-0') },
  });
  const { question_id, options } = asking.question;

  const seen = nextApproval('once');
  const answer = { pty_id: id, question_id, option: options[0].toUpperCase() };
  expect(await call(mcp.client, 'agents_answer', answer)).toMatchObject({ outcome: 'answered', choice: options[0] });
  expect(await seen).toMatch(/^Would you like .*· \$ npm test part-0 → Yes, proceed/);
  expect(await refusal(mcp.client, 'agents_answer', answer)).toMatchObject({ code: 'SEQ_MISMATCH' });

  const [waiting] = (await call(mcp.client, 'agents_list', { state: 'waiting' })).agents;
  expect(waiting.question.text).toContain('npm test part-1');
  const denied = nextApproval('deny');
  const second = { pty_id: id, question_id: waiting.question.question_id, option: 'Yes, proceed' };
  expect(await refusal(mcp.client, 'agents_answer', second)).toMatchObject({ code: 'DENIED_BY_USER' });
  await denied;

  const hops = (await audited()).map(({ tool, pty, decision, rule, what }) => ({ tool, pty, decision, rule, what }));
  expect(hops).toMatchObject([
    { tool: 'agents_prompt', pty: id, decision: 'allowed', rule: 'input', what: 'Review the change.' },
    { tool: 'agents_prompt', pty: id, decision: 'allowed', what: 'ask 2' },
    { tool: 'agents_answer', pty: id, decision: 'approved', rule: 'agent_dialogs', what: options[0].toUpperCase() },
    { tool: 'agents_answer', pty: id, decision: 'refused', rule: 'SEQ_MISMATCH' },
    { tool: 'agents_answer', pty: id, decision: 'denied', rule: 'DENIED_BY_USER' },
  ]);
  expect(await verifyAudit(join(served.app.home, 'audit.jsonl'))).toMatchObject({ ok: true });

  expect((await prompts()).map(({ actor }) => actor)).toEqual(['agent:reviewer', 'agent:reviewer']);
}, 120_000);

test('what the policy does not say is not done', async () => {
  const [{ question }] = (await call(mcp.client, 'agents_list', { state: 'waiting' })).agents;
  const answer = { pty_id: id, question_id: question.question_id, option: 'Yes, proceed' };
  setPolicy({ ...INPUT, agent_dialogs: 'deny' });
  expect(await refusal(mcp.client, 'agents_answer', answer)).toMatchObject({ code: 'DENIED_BY_POLICY' });
  setPolicy({ ...INPUT, default: 'deny' });
  expect(await refusal(mcp.client, 'agents_answer', answer)).toMatchObject({ code: 'DENIED_BY_POLICY' });
  expect(await refusal(mcp.client, 'agents_prompt', { pty_id: id, text: 'hello' })).toMatchObject({
    code: 'DENIED_BY_POLICY',
  });
  served.allow(['exec']);
  expect(await refusal(mcp.client, 'agents_answer', answer)).toMatchObject({ code: 'NOT_ALLOWED_SCOPE' });
  expect(await refusal(mcp.client, 'agents_prompt', { pty_id: id, text: 'hello' })).toMatchObject({
    code: 'NOT_ALLOWED_SCOPE',
  });
  expect((await agents())[0].question.question_id).toBe(question.question_id);
});
