import type { Block } from '../contract/block.ts';
import type { BlockMarkEvent } from '../contract/event.ts';
import type { BlockEffect, BlockInput, BlockMoment, BlockState, Reduced, Submission } from './BlockState.ts';
import { joinBytes } from './background.ts';
import { endBackground, growBackground, noLine, takeIdleOutput } from './idleOutput.ts';
import { closeOpen, newBlock, openBlock, withJob } from './openAndClose.ts';
import { leadLength } from './shellLead.ts';
import { type TypedAhead, takeLines, typeAhead } from './typedAhead.ts';

/**
 * Folds one input into the state, as in the table "State machine" of the specification. Pure; times and ids are arguments.
 *
 * Bytes between a command's end and the next begin belong to no block: they come from the prompt, the line editor and
 * the person's prompt code. The only exception is a background block, see `judgeIdle`.
 */
export function reduceBlock(state: BlockState, input: BlockInput, now: BlockMoment): Reduced {
  switch (input.type) {
    case 'output':
      return takeOutput(state, input, now);
    case 'begin':
      return takeBegin(state, input, now);
    case 'end':
      return takeEnd(state, input, now);
    case 'prompt':
      return takePrompt(state, input, now);
    case 'promptStart':
      return takePromptStart(state, input.at, now);
    case 'promptEnd':
      return [atPromptEnd(state, input.end, now), []];
    case 'altScreen':
    case 'screenCleared':
    case 'addressed':
      return takeScreen(state, input, now);
    case 'exit':
      return takeExit(state, input, now);
    case 'noMarks':
      return takeNoMarks(state, input.at, now);
    case 'text':
      return takeText(state, input);
    case 'nested':
      return takeNested(state, input.program);
    case 'input':
      return takeInput(state, input.keys, now);
    case 'submit':
      return [{ ...state, submitted: submissionOf(input) }, []];
    case 'givenUp':
      return [giveUp(state, input.blockId), []];
  }
}

function submissionOf({ cmd, actor, blockId }: Extract<BlockInput, { type: 'submit' }>): Submission {
  return { cmd, actor, ...(blockId !== undefined && { blockId }) };
}

function giveUp(state: BlockState, blockId: string): BlockState {
  const { submitted } = state;
  if (submitted?.blockId !== blockId) return state;
  return { ...state, submitted: submitted.isPassed ? null : { ...submitted, isGivenUp: true } };
}

/** A prompt came before the line began: nothing is expected any more, or only the line's exact text. */
function afterPrompt(submitted: Submission | null): Submission | null {
  return submitted?.blockId === undefined || submitted.isGivenUp ? null : { ...submitted, isPassed: true };
}

/** Whether the begin belongs to the sent line. */
function isAwaited(submitted: Submission | null, begin: Extract<BlockMarkEvent, { type: 'begin' }>): boolean {
  if (submitted?.blockId === undefined) return true;
  return begin.trusted && (!submitted.isPassed || begin.cmd === submitted.cmd);
}

function takeOutput(state: BlockState, output: Extract<BlockInput, { type: 'output' }>, now: BlockMoment): Reduced {
  const { open } = state;
  if (!open) return takeIdleOutput(state, output, now);
  return open.kind === 'background' ? growBackground(state, open, output, now) : grow(state, open, output);
}

function grow(state: BlockState, open: Block, { at, end, bytes }: Extract<BlockInput, { type: 'output' }>): Reduced {
  const output: BlockEffect = { type: 'output', blockId: open.id, at, bytes };
  const lead = state.lead && joinBytes(state.lead, bytes);
  const length = lead && leadLength(lead);
  if (!length)
    return [
      { ...state, lead: length === null ? lead : null, open: { ...open, outputBytes: end - open.rawStart } },
      [output],
    ];
  const rawStart = open.rawStart + length;
  const led = { ...open, rawStart, outputBytes: end - rawStart };
  return [{ ...state, lead: null, open: led }, [output, { type: 'change', block: led }]];
}

function takeBegin(state: BlockState, begin: Extract<BlockMarkEvent, { type: 'begin' }>, now: BlockMoment): Reduced {
  if (isBeyond(state.open, begin.trusted)) return [state, []];
  const [closed, effects] = closeOpen(state, { at: begin.at, endedBy: 'superseded', exitCode: null }, now);
  const submitted = isAwaited(state.submitted, begin) ? state.submitted : null;
  const stillAwaited = submitted || begin.trusted ? null : state.submitted;
  const cmd = begin.cmd ?? wholeText(submitted?.cmd, begin.lines || 1);
  const source = begin.cmd === null ? 'typed' : begin.trusted ? 'hook' : 'cmdline';
  const block: Block = {
    ...newBlock(closed, begin.end, now),
    ...(submitted?.blockId !== undefined && { id: submitted.blockId }),
    cmd,
    ...(submitted?.blockId !== undefined && cmd !== submitted.cmd && { cmdRequested: submitted.cmd }),
    textSource: cmd === null ? null : source,
    cwd: begin.cwd ?? closed.cwd,
    actor: submitted?.actor ?? 'user',
    trusted: begin.trusted,
    // Without the text, the reason for keeping the line out of the shell's history is unknown: `text` decides.
    ephemeral: begin.ignoresSpace && (cmd === null || cmd.startsWith(' ')),
  };
  const openCount = begin.count ?? null;
  const next: BlockState = {
    ...closed,
    phase: 'command',
    cwd: block.cwd,
    submitted: stillAwaited,
    idleLine: null,
    typed: takeLines(closed.typed, cmd?.split('\n').length ?? begin.lines ?? 1, cmd),
    isTouched: false,
    openCount,
    lead: begin.hasLead ? new Uint8Array(0) : null,
  };
  const [opened, more] = openBlock(next, block, now);
  return [opened, [...effects, ...more]];
}

function takeEnd(state: BlockState, end: Extract<BlockMarkEvent, { type: 'end' }>, now: BlockMoment): Reduced {
  if (isBeyond(state.open, end.trusted)) return [state, []];
  // A shell that loaded the hook inside another one reports the end of a command that it did not begin, and so does the outer one.
  const isOther = end.count !== undefined && state.openCount !== null && end.count !== state.openCount;
  const isOwn = state.open?.kind === 'command' && !isOther;
  const exitCode = isOwn ? end.exitCode : null;
  const [closed, effects] = closeOpen(
    state,
    { at: end.at, endedBy: isOwn ? 'mark' : 'prompt', exitCode, trusted: end.trusted },
    now,
  );
  return [{ ...closed, phase: 'idle', idleLine: null, isTouched: false, typed: afterEditing(state) }, effects];
}

/** A line was entered at the prompt, and started no command. */
function afterEditing({ phase, typed }: BlockState): TypedAhead {
  return phase === 'editing' ? takeLines(typed, 1) : typed;
}

function takePrompt(state: BlockState, prompt: Extract<BlockMarkEvent, { type: 'prompt' }>, now: BlockMoment): Reduced {
  if (isBeyond(state.open, prompt.trusted)) return [state, []];
  const [closed, effects] = closeOpen(state, { at: prompt.at, endedBy: 'prompt', exitCode: null }, now);
  return [
    {
      ...closed,
      phase: 'prompt',
      cwd: prompt.cwd ?? closed.cwd,
      submitted: afterPrompt(closed.submitted),
      idleLine: null,
      typed: afterEditing(state),
      isTouched: prompt.at <= state.keyedAt,
    },
    effects,
  ];
}

/** Any program can print this mark, so it closes only blocks based on such marks. */
function takePromptStart(state: BlockState, at: number, now: BlockMoment): Reduced {
  if (state.open?.kind === 'command' && state.open.trusted) return [state, []];
  const [closed, effects] = closeOpen(state, { at, endedBy: 'prompt', exitCode: null }, now);
  return [{ ...closed, phase: 'prompt', idleLine: null }, effects];
}

function takeScreen(
  state: BlockState,
  event: Extract<BlockInput, { type: 'altScreen' | 'screenCleared' | 'addressed' }>,
  now: BlockMoment,
): Reduced {
  const effects: BlockEffect[] = [];
  let open = state.open;
  if (open && event.type === 'addressed' && !open.addressed) open = { ...open, addressed: true };
  if (open && event.type === 'altScreen' && event.on && !open.usedAltScreen) open = { ...open, usedAltScreen: true };
  if (open && open !== state.open) effects.push({ type: 'change', block: open });
  const at = { at: event.at, atMs: now.atMs, blockId: open?.id ?? null };
  if (event.type === 'altScreen') effects.push({ type: 'event', record: { type: 'altScreen', on: event.on, ...at } });
  if (event.type === 'screenCleared')
    effects.push({ type: 'event', record: { type: 'screenCleared', by: event.by, ...at } });
  // The line editor, or a job that moves the cursor: the two are indistinguishable.
  const idleLine = open === null && event.type !== 'screenCleared' ? null : state.idleLine;
  return [{ ...state, open, idleLine }, effects];
}

function takeExit(state: BlockState, exit: Extract<BlockInput, { type: 'exit' }>, now: BlockMoment): Reduced {
  const [closed, effects] = closeOpen(state, { ...exit, endedBy: 'shell-exit' }, now);
  return [{ ...closed, phase: 'idle', idleLine: null, jobBlockIds: [], submitted: null }, effects];
}

/** Text sent as several lines may run as several commands: it belongs to this one only if the shell took all its lines. */
function wholeText(cmd: string | undefined, lines: number): string | null {
  return cmd === undefined || cmd.split(/\r\n?|\n/).length !== lines ? null : cmd;
}

/** A shell without marks gets one card for all its output. */
function takeNoMarks(state: BlockState, at: number, now: BlockMoment): Reduced {
  if (state.phase !== 'start' || state.open) return [state, []];
  const block = {
    ...newBlock(state, state.startOffset, now),
    kind: 'session' as const,
    outputBytes: at - state.startOffset,
  };
  const [opened, effects] = openBlock(state, block, now);
  if (at === state.startOffset) return [opened, effects];
  return [opened, [...effects, { type: 'backfill', blockId: block.id, from: state.startOffset, to: at }]];
}

/** Text is only added to a block without one, so that an exact text is never replaced. */
function takeText(state: BlockState, text: Extract<BlockInput, { type: 'text' }>): Reduced {
  const isOpen = state.open?.id === text.blockId;
  const block = isOpen ? state.open : state.textless.find((waiting) => waiting.id === text.blockId);
  if (!block || block.cmd !== null) return [state, []];
  const isSecret = block.ephemeral && (text.cmd?.startsWith(' ') ?? false);
  const told: Block = {
    ...block,
    cmd: text.cmd,
    textSource: text.cmd === null ? null : text.source,
    ephemeral: isSecret,
  };
  const textless = state.textless.filter((waiting) => waiting !== block);
  const next = isOpen ? { ...state, open: told } : { ...withJob(state, told), textless };
  return [next, [{ type: 'change', block: told }]];
}

function takeNested(state: BlockState, program: string): Reduced {
  const { open } = state;
  if (open?.kind !== 'command' || open.nested !== undefined) return [state, []];
  const nested = { ...open, nested: program };
  return [{ ...state, open: nested }, [{ type: 'change', block: nested }]];
}

/** While part of a line waits for its echo, or the editor redraws a line, a job's output is not recognizable. */
function atPromptEnd(state: BlockState, end: number, now: BlockMoment): BlockState {
  if (state.phase === 'command') return state;
  const isQuiet = state.typed.rest === '' && !state.isTouched;
  const promptMonoMs = state.phase === 'editing' ? state.promptMonoMs : now.monoMs;
  return { ...state, phase: 'editing', idleLine: isQuiet ? noLine(end) : null, promptMonoMs };
}

function takeInput(state: BlockState, keys: string, now: BlockMoment): Reduced {
  const isFirst = state.phase === 'editing' && (!state.isTouched || state.typed.isUnknown === true);
  const idleMs = isFirst ? now.monoMs - state.promptMonoMs : null;
  const typed = typeAhead(state.typed, keys, idleMs);
  const isTouched = state.isTouched || state.phase === 'editing' || state.phase === 'prompt';
  return endBackground({ ...state, idleLine: null, typed, isTouched }, now);
}

/** Only trusted marks may affect a block that a trusted mark opened. */
function isBeyond(open: Block | null, trusted: boolean): boolean {
  return open !== null && open.kind === 'command' && open.trusted && !trusted;
}
