import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import type { AuditLine } from '../../../src-main/contract/mcp/audit.ts';
import type { CoreConnection } from '../../../src-main/hosts/web/connectCore.ts';
import { verifyAudit } from '../../../src-main/store/audit/verifyAudit.ts';
import { finished } from '../../cli/runCli.ts';
import { connectTo } from '../../support/coreClient.ts';
import { CLI, ServedApp } from '../../support/WebApp.ts';
import { installedVersion } from '../launch/Agent.ts';
import { converse, sayYes } from '../mcp/converse.ts';
import { factsOf, modelOf, type Plan, told } from '../mcp/investigate.ts';
import { MCP_AGENTS, type McpAgent } from '../mcp/McpAgent.ts';
import { Person } from '../mcp/Person.ts';
import { AgentSeat } from './AgentSeat.ts';

const TOOLS = ['agents_list', 'agents_prompt', 'agents_read', 'pty_snapshot_wait'];
/** Longer than a scripted review takes. */
const WAIT_MS = 50_000;
/** A reviewer that waits for its person's permission ends the wait of the author, who then waits again. */
const MAX_READS = 4;
const ASKED = 'Let somebody else review sum.js';
const REVIEW = 'Please review sum.js and say what is wrong with it.';
const FINDING = 'The function subtracts where it should add.';
/** Each real agent asks another, in a ring. */
const PAIRS = [
  ['claude', 'codex'],
  ['codex', 'gemini'],
  ['gemini', 'claude'],
] as const;

/** An agent with Hansard's tools, in a terminal of its own. */
interface Colleague {
  readonly agent: McpAgent;
  readonly seat: AgentSeat;
}

describe.each(PAIRS)('%s and %s', (asking, asked) => {
  const agents = [asking, asked].map((name) => MCP_AGENTS.find(({ rig }) => rig.name === name) as McpAgent);
  const isHere = process.env.HANSARD_TEST_AGENTS === '1' && agents.every(({ rig }) => installedVersion(rig) !== null);

  test.skipIf(!isHere)(
    `${asking} asks ${asked} for a review, waits, and reports it; ${asked} cannot ask back; each hop is in the audit`,
    { timeout: 400_000 },
    async () => {
      const { app, api, person, colleagues } = await office(agents);
      const [author, reviewer] = colleagues as [Colleague, Colleague];
      const over = new AbortController();
      onTestFinished(() => over.abort());
      reviewer.seat.model.load({
        prompt: REVIEW,
        replies: modelOf(reviewer.agent, () => reviewing(author.seat.terminalId), TOOLS),
      });
      void sayYes(reviewer.agent, reviewer.seat.seat, over.signal);

      const replies = modelOf(author.agent, () => asksForReview(asked), TOOLS);
      const beganMs = Date.now();
      const last = await converse(
        author.agent,
        { prompt: ASKED, replies },
        { seat: author.seat.seat, model: author.seat.model },
      ).catch(async (error: unknown) => {
        const screens = await Promise.all(colleagues.map(({ seat }) => seat.text()));
        throw new Error([error, ...screens].map(String).join('\n'));
      });
      expect(last.reply.text).toBe(`${asked} says: ${FINDING}`);

      const [back] = reviewer.seat.model.served.flatMap(({ results }) => told(reviewer.agent, results));
      expect(back).toContain('SELF_PTY');
      expect(person.asked.map(({ cmd, terminalId, client }) => [cmd, terminalId, client.terminalId])).toEqual([
        [REVIEW, reviewer.seat.terminalId, author.seat.terminalId],
      ]);
      await checkTalks(api, author, reviewer);
      await checkHops(api, { author, reviewer, beganMs });
      expect(await verifyAudit(join(app.home, 'audit.jsonl'))).toMatchObject({ ok: true });
    },
  );
});

/** The served app with a terminal for each agent, which was set up by the real command line, and a person who approves all. */
async function office(agents: readonly McpAgent[]) {
  const app = new ServedApp();
  const policy = {
    version: 1,
    clients: Object.fromEntries(agents.map(({ client }) => [client, { scopes: ['input'] }])),
    input: { default: 'ask', typing_hold_ms: 1000 },
  };
  writeFileSync(join(app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
  await app.start();
  onTestFinished(() => app.dispose());
  const { api, dispose } = connectTo(app.home);
  onTestFinished(() => dispose());
  const person = new Person(api, () => ({ choice: 'once' }));
  onTestFinished(() => person.dispose());
  const project = mkdtempSync(join(tmpdir(), 'review-'));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  writeFileSync(join(project, 'sum.js'), 'export const sum = (a, b) => a - b;\n');
  const colleagues: Colleague[] = [];
  for (const agent of agents) {
    const seat = await AgentSeat.open(agent.rig, api, project);
    onTestFinished(() => seat.dispose());
    const env = { ...seat.env, HANSARD_HOME: app.home };
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const { code, stderr } = await finished(
      spawn(process.execPath, [CLI, 'mcp', 'setup', agent.rig.name], { env, stdio: [...stdio] }),
    );
    expect([code, stderr]).toEqual([0, '']);
    await seat.start();
    colleagues.push({ agent, seat });
  }
  return { app, api, person, colleagues };
}

/** Finds the reviewer by the list, asks it, waits for its answer and reports it. */
function* asksForReview(name: string): Plan {
  const { agents } = factsOf(yield { tool: 'agents_list', input: {} });
  const other = agents.find((one: Row) => one.agent === name && one.state === 'idle' && !one.is_caller_pty);
  const pty_id = other?.pty_id ?? 'none';
  const { resume_cursor } = factsOf(yield { tool: 'agents_prompt', input: { pty_id, text: REVIEW } });
  const input = { pty_id, cursor: resume_cursor, kinds: ['model'], wait_ms: WAIT_MS };
  for (let read = 1; read <= MAX_READS; read += 1) {
    const { state, messages } = factsOf(yield { tool: 'agents_read', input });
    if (state === 'idle') return `${name} says: ${messages.map(({ text }: Row) => text).join(' ')}`;
    if (state !== 'needs_approval') return `after the wait ${name} is ${state}`;
    yield { tool: 'pty_snapshot_wait', input: { pty_id, for: ['agent_idle'], wait_ms: WAIT_MS } };
  }
  return 'it waits for its person';
}

/** Tries to ask the author back, and gives its finding when that is refused. */
function* reviewing(author: string): Plan {
  const refused = yield { tool: 'agents_prompt', input: { pty_id: author, text: 'What is it for?' } };
  return refused.includes('SELF_PTY') ? FINDING : `It was not refused: ${refused}`;
}

// biome-ignore lint/suspicious/noExplicitAny: the plan reads only the fields that it needs
type Row = any;

async function messagesIn(api: CoreConnection['api'], { seat: { terminalId } }: Colleague): Promise<ChatMessage[]> {
  const [conversation] = await api.chat.list.query({ terminalId });
  if (!conversation) return [];
  const { messages } = await api.chat.page.query({ terminalId, conversationId: conversation.id, limit: 100 });
  return messages.filter(({ kind }) => kind === 'user' || kind === 'model');
}

/** Expects the person's prompt and the report in one conversation, and in the other the prompt as the author's, and the finding. */
async function checkTalks(api: CoreConnection['api'], author: Colleague, reviewer: Colleague): Promise<void> {
  const said = async (one: Colleague) =>
    (await messagesIn(api, one)).map(({ kind, actor, text }) => ({ kind, actor, text }));
  await expect
    .poll(() => said(author))
    .toMatchObject([
      { kind: 'user', actor: 'user', text: ASKED },
      { kind: 'model', text: `${reviewer.agent.rig.name} says: ${FINDING}` },
    ]);
  await expect
    .poll(() => said(reviewer))
    .toMatchObject([
      { kind: 'user', actor: `agent:${author.agent.client}`, text: REVIEW },
      { kind: 'model', text: FINDING },
    ]);
}

/** Expects each hop in the audit: who did it, from which terminal, to which, and when. */
async function checkHops(
  api: CoreConnection['api'],
  { author, reviewer, beganMs }: { author: Colleague; reviewer: Colleague; beganMs: number },
): Promise<void> {
  const [from, to] = [author, reviewer].map(({ agent, seat }) => ({ client: agent.client, pty: seat.terminalId }));
  const had = async (reads: boolean): Promise<AuditLine[]> => {
    const { lines } = await api.audit.page.query({ filter: { reads }, limit: 100 });
    return lines.toReversed().filter(({ tool }) => tool.startsWith('agents_'));
  };
  const hops = await had(false);
  expect(hops).toMatchObject([
    {
      client: from?.client,
      caller_pty: from?.pty,
      pty: to?.pty,
      tool: 'agents_prompt',
      what: REVIEW,
      decision: 'approved',
      rule: 'input',
    },
    {
      client: to?.client,
      caller_pty: to?.pty,
      pty: from?.pty,
      tool: 'agents_prompt',
      what: 'What is it for?',
      decision: 'refused',
      rule: 'SELF_PTY',
    },
  ]);
  for (const { ts } of hops) expect(ts).toBeGreaterThan(beganMs);
  const [listed, ...read] = await had(true);
  const by = { client: from?.client, caller_pty: from?.pty, decision: 'allowed' };
  expect(listed).toMatchObject({ ...by, tool: 'agents_list', pty: null });
  expect(read.length).toBeGreaterThan(0);
  for (const line of read) expect(line).toMatchObject({ ...by, tool: 'agents_read', pty: to?.pty });
}
