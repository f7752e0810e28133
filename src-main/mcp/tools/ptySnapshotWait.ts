import { z } from 'zod';
import type { AgentState } from '../../contract/chat.ts';
import { ToolFault } from '../../contract/mcp.ts';
import type { WaitCondition, WaitResult } from '../../contract/screen.ts';
import { checkPattern } from '../../session/outside/checkPattern.ts';
import { capped, MAX_WAIT_MS, MaxChars, PtyId } from '../inputs.ts';
import { defineTool, type ToolCall, WAITS } from '../Tool.ts';
import { blockFacts, blockTold } from './blockSummary.ts';
import { Include, known, Since, SinceEpoch } from './ptySnapshot.ts';
import { readingAnswer } from './screenText.ts';

/** A client that gave a progress token hears that its call is alive. */
const PROGRESS_EVERY_MS = 5_000;

const For = z.enum(['changed', 'block_end', 'prompt', 'exit', 'agent_idle', 'agent_needs_input']);

const Input = z.strictObject({
  pty_id: PtyId,
  search: z.string().min(1).max(512).optional().describe('regular expression'),
  search_flags: z
    .string()
    .regex(/^[imsu]*$/)
    .default(''),
  search_scope: z.enum(['screen', 'new_output', 'scrollback']).default('screen'),
  search_absent: z.string().min(1).max(512).optional().describe('until this expression is nowhere on the screen'),
  stable_ms: capped(50, 30_000).optional().describe('until nothing visible changed for so long'),
  hashStableMs: capped(50, 30_000).optional(),
  for: z.array(For).max(6).default([]),
  mode: z.enum(['any', 'all']).default('any'),
  after_seq: z.int().nonnegative().optional().describe('seq of the last answer: only what is newer counts'),
  since: Since,
  since_epoch: SinceEpoch,
  ignore_rows: z.array(z.int().nonnegative()).max(100).default([]).describe('rows of clocks and spinners'),
  scrollback: capped(0, 1000, 0),
  include: Include,
  timeout_ms: capped(0, MAX_WAIT_MS, 30_000),
  timeout: capped(0, MAX_WAIT_MS).optional(),
  max_chars: MaxChars,
});
type Input = z.infer<typeof Input>;

export const ptySnapshotWait = defineTool({
  name: 'pty_snapshot_wait',
  aliases: ['pty.snapshot.wait', 'pty_wait'],
  title: 'Wait for the screen',
  description:
    'Waits until something is so: search (a regular expression) is found, search_absent is gone, nothing changed for stable_ms, or for: changed, block_end, prompt, exit, agent_idle, agent_needs_input. Judged on every frame; the end of the program ends every wait. outcome deadline is no failure: call again with after_seq. timeout_ms 0 tests what is there now, at most 55000.',
  hints: WAITS,
  profile: 'observe',
  scope: 'observe',
  isWait: ({ timeout_ms }) => timeout_ms > 0,
  input: Input,
  async run(input, call) {
    const { live } = call.desk.record.terminal(input.pty_id);
    const timeoutMs = input.timeout ?? input.timeout_ms;
    const agentWishes = input.for.filter((wish) => wish.startsWith('agent_'));
    if (agentWishes.length > 0 && (input.mode === 'all' || !live))
      throw new ToolFault('BAD_INPUT', 'agent_… can be waited for in an open terminal with mode any', 'leave it out');
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, call.signal]);
    const beat = setInterval(() => call.progress('still waiting'), PROGRESS_EVERY_MS);
    try {
      const waits = [onScreen(input, timeoutMs, { call, signal }), onAgent(input, agentWishes, { call, signal })];
      const first = await Promise.race(waits.flatMap((wait) => wait ?? []));
      return await told(input, first, call);
    } finally {
      clearInterval(beat);
      stop.abort();
    }
  },
});

type Found = { type: 'screen'; result: WaitResult } | { type: 'agent'; outcome: string; waitedMs: number };
interface Way {
  call: ToolCall;
  signal: AbortSignal;
}

async function onScreen(input: Input, timeoutMs: number, { call, signal }: Way): Promise<Found> {
  const { conditions, names } = conditionsOf(input);
  // with only an agent to wait for, the end of the program and of the time are what the screen can still say
  const wanted: WaitCondition[] = conditions.length === 0 ? [{ type: 'exit' }] : conditions;
  const waiting = call.desk.screens.wait(
    input.pty_id,
    {
      conditions: wanted,
      mode: input.mode,
      timeoutMs,
      whole: true,
      scrollback: input.search_scope === 'scrollback' ? 1000 : input.scrollback,
      ...(input.after_seq !== undefined && { since: input.after_seq }),
      ...(input.since_epoch !== undefined && { epoch: input.since_epoch }),
    },
    signal,
  );
  const result = known(await quiet(waiting, { signal, call }), input.pty_id);
  checkPattern(result);
  const met = result.met.map((at) => names[at] ?? 'exit');
  return {
    type: 'screen',
    result: { ...result, reason: result.outcome === 'met' ? (met[0] ?? null) : result.outcome },
  };
}

/** A wait that was given up because the other one was met never settles: its answer is of no use. One that the client gave up does, or its place were never free again. */
function quiet<T>(waiting: Promise<T>, { signal, call }: Way): Promise<T> {
  return waiting.catch((error: unknown) => {
    if (signal.aborted && !call.signal.aborted) return new Promise<T>(() => undefined);
    throw error;
  });
}

/** What the screen is asked, and how each is called in the answer. */
function conditionsOf(input: Input): { conditions: WaitCondition[]; names: string[] } {
  const conditions: WaitCondition[] = [];
  const names: string[] = [];
  const add = (name: string, condition: WaitCondition): void => {
    names.push(name);
    conditions.push(condition);
  };
  const scope = input.search_scope === 'new_output' ? 'new' : 'screen';
  if (input.search !== undefined)
    add('matched', { type: 'match', pattern: input.search, flags: input.search_flags, scope });
  if (input.search_absent !== undefined)
    add('absent', { type: 'absent', pattern: input.search_absent, flags: input.search_flags });
  const stableMs = input.stable_ms ?? input.hashStableMs;
  if (stableMs !== undefined) add('settled', { type: 'stable', ms: stableMs, ignoreRows: input.ignore_rows });
  for (const wish of input.for) {
    if (wish === 'changed') add('changed', { type: 'changed' });
    if (wish === 'block_end') add('block_end', { type: 'block-end' });
    if (wish === 'prompt') add('prompt', { type: 'prompt' });
    if (wish === 'exit') add('exited', { type: 'exit' });
  }
  if (conditions.length === 0 && input.for.length === 0) add('changed', { type: 'changed' });
  return { conditions, names };
}

const AGENT_STATES: Readonly<Record<string, readonly AgentState[]>> = {
  agent_idle: ['idle'],
  agent_needs_input: ['needs_input', 'needs_approval'],
};

/** Null when no agent is waited for. */
function onAgent(input: Input, wishes: readonly string[], { call, signal }: Way): Promise<Found> | null {
  const { live } = call.desk.record.terminal(input.pty_id);
  if (wishes.length === 0 || !live) return null;
  const startMs = performance.now();
  return new Promise((resolve) => {
    const look = (): boolean => {
      const state = live.view.agent?.state;
      const outcome = wishes.find((wish) => state !== undefined && AGENT_STATES[wish]?.includes(state));
      if (outcome) resolve({ type: 'agent', outcome, waitedMs: Math.round(performance.now() - startMs) });
      return outcome !== undefined;
    };
    if (look()) return;
    const following = live.onChanged(() => look() && following.dispose());
    signal.addEventListener('abort', () => following.dispose(), { once: true });
  });
}

async function told(input: Input, found: Found, call: ToolCall): Promise<ReturnType<typeof readingAnswer>> {
  const { desk } = call;
  const wish = { include: input.include, maxChars: input.max_chars };
  const screen = found.type === 'screen' ? found.result : null;
  const reading =
    (input.since === undefined ? screen?.reading : null) ??
    (await desk.screens.read(input.pty_id, {
      scrollback: input.scrollback,
      ...(input.since !== undefined && { since: input.since }),
      ...(input.since_epoch !== undefined && { epoch: input.since_epoch }),
    }));
  const answer = readingAnswer(known(reading, input.pty_id), wish);
  const outcome = found.type === 'agent' ? found.outcome : outcomeOf(found.result);
  const { match = null, exit = null } = screen ?? {};
  const block = outcome === 'block_end' ? await lastBlock(input.pty_id, call) : null;
  return {
    ...answer,
    facts: {
      outcome,
      waited_ms: found.type === 'agent' ? found.waitedMs : found.result.waitedMs,
      ...(exit && { exit: { exit_code: exit.exitCode, signal: exit.signal, output_complete: true } }),
      ...(match && { match: { row: match.row, col: match.col, resume_cursor: match.resume } }),
      ...(block && { block: blockFacts(block) }),
      ...answer.facts,
    },
    told: {
      ...answer.told,
      ...(match && { match: { text: match.text, groups: match.groups } }),
      ...(block && { block: blockTold(block) }),
    },
  };
}

function outcomeOf({ outcome, reason, waitedMs }: WaitResult): string {
  if (outcome === 'met') return waitedMs <= 1 && reason === 'changed' ? 'immediate' : (reason ?? 'matched');
  return outcome === 'bad-pattern' || outcome === 'slow-pattern' ? 'gone' : outcome;
}

async function lastBlock(terminalId: string, { desk }: ToolCall): Promise<Parameters<typeof blockFacts>[0] | null> {
  for await (const block of desk.record.newestFirst(desk.record.terminal(terminalId)))
    if (block.status !== 'running') return block;
  return null;
}
