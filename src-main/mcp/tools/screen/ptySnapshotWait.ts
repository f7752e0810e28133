import { z } from 'zod';
import type { AgentState } from '../../../contract/chat/chat.ts';
import { ToolFault } from '../../../contract/mcp/mcp.ts';
import type {
  ScreenReading,
  WaitCondition,
  WaitMatch,
  WaitQuery,
  WaitResult,
} from '../../../contract/screen/screen.ts';
import { LINES_ABOVE } from '../../../redaction/redactedLines.ts';
import { cellsOf } from '../../../redaction/rowCells.ts';
import { capped, MAX_WAIT_MS, MaxChars, PtyId } from '../../protocol/inputs.ts';
import { readingAnswer } from '../../protocol/screenText.ts';
import { defineTool, type ToolAnswer, type ToolCall, WAITS } from '../../protocol/Tool.ts';
import { checkPattern } from '../../read/checkPattern.ts';
import { blockTold, leanFacts } from '../blocks/blockSummary.ts';
import { Include, known, readWithAbove, SinceEpoch, SinceSeq, stateFacts } from './ptySnapshot.ts';

/** The limit of the wait and of the reading, so that the row of a match that scrolled off is included. */
const MAX_ABOVE = 1000;
/** Interval of progress messages to a client that sent a progress token. */
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
  search_absent: z.string().min(1).max(512).optional().describe('until it is nowhere on the screen'),
  stable_ms: capped(50, 30_000).optional().describe('until nothing changed for so long'),
  for: z.array(For).max(6).default([]),
  mode: z.enum(['any', 'all']).default('any'),
  after_seq: z.int().nonnegative().optional().describe('seq of the last answer: only newer counts'),
  since_seq: SinceSeq,
  since_epoch: SinceEpoch,
  resume_cursor: z.string().max(128).optional().describe('of the last match: search behind it'),
  ignore_rows: z
    .union([z.array(z.int().min(0).max(999)).max(100), z.literal('auto')])
    .default([])
    .describe('rows of clocks; auto finds them'),
  scrollback: capped(0, 1000, 0),
  include: Include,
  wait_ms: capped(0, MAX_WAIT_MS, 30_000),
  max_chars: MaxChars,
});
type Input = z.infer<typeof Input>;

export const ptySnapshotWait = defineTool({
  name: 'pty_snapshot_wait',
  aliases: ['pty.snapshot.wait', 'pty_wait'],
  title: 'Wait for the screen',
  description:
    'Waits until something is so: search (a regular expression) is found, search_absent is gone, nothing changed for stable_ms, or for: changed, block_end, prompt, exit, agent_idle, agent_needs_input. Patterns leave out prompts and command lines (command_lines: unknown where no shell hook reports them). outcome immediate: the text stood there already; deadline is no failure: call again with after_seq. The end of the program ends every wait. wait_ms 0 tests what is there now, at most 55000.',
  hints: WAITS,
  profile: 'observe',
  scope: 'observe',
  isWait: ({ wait_ms }) => wait_ms > 0,
  input: Input,
  inputAliases: {
    timeout_ms: 'wait_ms',
    timeout: 'wait_ms',
    hashStableMs: 'stable_ms',
    since: 'since_seq',
    pattern: 'search',
  },
  about: ({ pty_id, search, search_absent, for: until }) => ({
    terminalId: pty_id,
    what: search ?? search_absent ?? (until.join(', ') || 'the screen'),
  }),
  async run(input, call) {
    const { live } = call.desk.record.terminal(input.pty_id);
    if (!live && input.for.some((wish) => wish in AGENT_STATES))
      throw new ToolFault('BAD_INPUT', 'agent_… can be waited for in an open terminal', 'leave it out');
    const { conditions, names } = conditionsOf(input);
    const query = { conditions, mode: input.mode, timeoutMs: input.wait_ms, ...baseOf(input) };
    const beat = setInterval(() => call.progress('still waiting'), PROGRESS_EVERY_MS);
    try {
      const answer = await call.desk.screens.wait(input.pty_id, query, call.signal);
      call.desk.record.terminal(input.pty_id); // throws if the person has hidden the terminal meanwhile
      const result = known(answer, input.pty_id);
      checkPattern(result);
      const [met] = result.met.map((at) => names[at]);
      return await told(input, { result, outcome: outcomeOf(result, met) }, call);
    } finally {
      clearInterval(beat);
    }
  },
});

/** The start of the wait, and the number of scrollback rows in its answer: enough to contain a match's row and to find secrets. */
function baseOf(input: Input): Pick<WaitQuery, 'since' | 'epoch' | 'resume' | 'whole' | 'scrollback'> {
  const isOnScreen = input.search === undefined || scopeOf(input) === 'screen';
  const scrollback = isOnScreen ? Math.min(MAX_ABOVE, input.scrollback + LINES_ABOVE) : MAX_ABOVE;
  if (input.resume_cursor !== undefined) return { whole: true, scrollback, ...resumeOf(input.resume_cursor) };
  return {
    whole: true,
    scrollback,
    ...(input.after_seq !== undefined && { since: input.after_seq }),
    ...(input.since_epoch !== undefined && { epoch: input.since_epoch }),
  };
}

/** `<seq>.<row>.<column>.<epoch>`, as written by `cursorOf`. */
const CURSOR = /^(\d{1,15})\.(-?\d{1,9})\.(\d{1,9})\.([\w.-]{1,64})$/;

function resumeOf(cursor: string): Pick<WaitQuery, 'resume' | 'epoch'> {
  const [, seq, row, col, epoch] = CURSOR.exec(cursor) ?? [];
  if (epoch === undefined)
    throw new ToolFault(
      'BAD_INPUT',
      'resume_cursor: it is none of pty_snapshot_wait',
      'pass on match.resume_cursor of an earlier wait as it is, or use after_seq',
    );
  return { resume: { seq: Number(seq), row: Number(row), col: Number(col) }, epoch };
}

function cursorOf({ resume: { seq, row, col } }: WaitMatch, epoch: string): string {
  return `${seq}.${row}.${col}.${epoch}`;
}

const AGENT_STATES: Readonly<Record<string, AgentState[]>> = {
  agent_idle: ['idle'],
  agent_needs_input: ['needs_input', 'needs_approval'],
};
const SCOPES = { screen: 'screen', new_output: 'new', scrollback: 'scrollback' } as const;

/** After an earlier match, only new output is searched. */
function scopeOf({ resume_cursor, search_scope }: Input): (typeof SCOPES)[Input['search_scope']] {
  return resume_cursor === undefined ? SCOPES[search_scope] : 'new';
}

/** The conditions for the screen, and their names in the answer. */
function conditionsOf(input: Input): { conditions: WaitCondition[]; names: string[] } {
  const conditions: WaitCondition[] = [];
  const names: string[] = [];
  const add = (name: string, condition: WaitCondition): void => {
    names.push(name);
    conditions.push(condition);
  };
  const { search_flags: flags, ignore_rows: ignoreRows } = input;
  if (input.search !== undefined)
    add('matched', { type: 'match', pattern: input.search, flags, scope: scopeOf(input) });
  if (input.search_absent !== undefined) add('absent', { type: 'absent', pattern: input.search_absent, flags });
  const stableMs = input.stable_ms;
  if (stableMs !== undefined) add('settled', { type: 'stable', ms: stableMs, ignoreRows });
  for (const wish of input.for) add(NAMES[wish] ?? wish, wishedFor(wish, ignoreRows));
  if (conditions.length === 0) add('changed', { type: 'changed', ignoreRows });
  return { conditions, names };
}

/** Outcomes whose name differs from the requested event. */
const NAMES: Readonly<Record<string, string>> = { exit: 'exited' };

function wishedFor(wish: z.infer<typeof For>, ignoreRows: Input['ignore_rows']): WaitCondition {
  switch (wish) {
    case 'changed':
      return { type: 'changed', ignoreRows };
    case 'block_end':
      return { type: 'block-end' };
    case 'prompt':
    case 'exit':
      return { type: wish };
    case 'agent_idle':
    case 'agent_needs_input':
      return { type: 'agent', states: AGENT_STATES[wish] ?? [] };
  }
}

async function told(
  input: Input,
  { result, outcome }: { result: WaitResult; outcome: string },
  call: ToolCall,
): Promise<ToolAnswer> {
  const { pty_id, include, scrollback } = input;
  const reading =
    (input.since_seq === undefined ? result.reading : null) ??
    (await readWithAbove(pty_id, call, {
      scrollback,
      ...(input.since_seq !== undefined && { since: input.since_seq }),
      ...(input.since_epoch !== undefined && { epoch: input.since_epoch }),
    }));
  const answer = readingAnswer(reading, { include, maxChars: input.max_chars, scrollback });
  const match = result.match && toldMatch(result.match, result.reading);
  const block = outcome === 'block_end' ? await lastBlock(pty_id, call) : null;
  const { exit } = result;
  const redactions = (answer.redactions ?? 0) + (match?.redactions ?? 0);
  return {
    ...answer,
    facts: {
      outcome,
      waited_ms: result.waitedMs,
      ...(exit && { exit: { exit_code: exit.exitCode, signal: exit.signal, output_complete: true } }),
      ...(match && { match: match.facts }),
      ...((input.search ?? input.search_absent) !== undefined && { command_lines: result.commandLines }),
      ...(block && { block: leanFacts(block) }),
      ...stateFacts(pty_id, call),
      ...answer.facts,
    },
    told: { ...answer.told, ...(match && { match: match.told }), ...(block && { block: blockTold(block) }) },
    ...(redactions > 0 && { redactions }),
  };
}

/**
 * The position of the match in cells, like all positions on a screen; its cursor uses the screen's own coordinates. The match was found in redacted
 * text.
 */
function toldMatch(
  match: WaitMatch,
  reading: ScreenReading | null,
): { facts: object; told: object; redactions: number } {
  const { text, groups, redactions = 0 } = match;
  const line = match.row < 0 ? reading?.scrollback.at(match.row) : reading?.frame?.rows[match.row];
  const col = line ? cellsOf(line.text.slice(0, match.col)) : match.col;
  return {
    facts: { row: match.row, col, ...(reading && { resume_cursor: cursorOf(match, reading.epoch) }) },
    told: { text, groups },
    redactions,
  };
}

function outcomeOf({ outcome, waitedMs, isImmediate }: WaitResult, met = 'matched'): string {
  const isThere = met === 'matched' ? isImmediate : waitedMs <= 1 && met === 'changed';
  if (outcome === 'met') return isThere ? 'immediate' : met;
  return outcome === 'bad-pattern' || outcome === 'slow-pattern' ? 'gone' : outcome;
}

async function lastBlock(terminalId: string, { desk }: ToolCall): Promise<Parameters<typeof leanFacts>[0] | null> {
  for await (const block of desk.record.newestFirst(desk.record.terminal(terminalId)))
    if (block.status !== 'running') return block;
  return null;
}
