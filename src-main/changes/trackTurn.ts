import type { AgentState } from '../contract/chat/chat.ts';

/** The known facts about the turns of one conversation. */
export interface TurnState {
  /** Number of the newest turn, from 1; 0 before the first. */
  readonly turn: number;
  readonly isOpen: boolean;
  readonly isWorking: boolean;
  /** Id of the message with the prompt of the newest turn; null until it is seen. */
  readonly promptId: string | null;
  readonly title: string;
  /** End of the newest turn, ms since 1970; null while it is in progress. */
  readonly endedMs: number | null;
  /** Ids of messages that are prompts of known turns. */
  readonly prompts: ReadonlySet<string>;
}

export const NO_TURN: TurnState = {
  ...{ turn: 0, isOpen: false, isWorking: false, promptId: null, title: '', endedMs: null },
  prompts: new Set(),
};

export type TurnEvent =
  | { readonly type: 'state'; readonly state: AgentState; readonly atMs: number }
  | { readonly type: 'prompt'; readonly id: string; readonly title: string; readonly atMs: number }
  /** The agent has not been seen at work for a while. */
  | { readonly type: 'settled'; readonly atMs: number };

/** `begin` and `end` take a snapshot; `name`: the prompt of the newest turn is known now. */
export type TurnEffect = 'begin' | 'end' | 'name' | null;

/** If an agent was idle for less than this, the turn continues, because a screen flickers between two tools. */
const PAUSE_MS = 2_000;
/** Hansard reads a prompt from the screen after the agent began to work on it; in a short turn, even after the end. */
const LATE_PROMPT_MS = 5_000;

/** Returns the state of the turns after an event, and what to do. Pure. */
export function trackTurn(state: TurnState, event: TurnEvent): { state: TurnState; effect: TurnEffect } {
  switch (event.type) {
    case 'prompt':
      return prompted(state, event);
    case 'settled':
      return state.isOpen && !state.isWorking ? ended(state, event.atMs) : { state, effect: null };
    case 'state':
      return changed(state, event);
  }
}

function prompted(
  state: TurnState,
  { id, title, atMs }: { id: string; title: string; atMs: number },
): { state: TurnState; effect: TurnEffect } {
  if (state.prompts.has(id)) {
    const isNewTitle = id === state.promptId && title !== state.title;
    return isNewTitle ? { state: { ...state, title }, effect: 'name' } : { state, effect: null };
  }
  const prompts = new Set(state.prompts).add(id);
  const isLate = state.turn > 0 && state.promptId === null;
  if (isLate && (state.isOpen || atMs - (state.endedMs ?? 0) < LATE_PROMPT_MS))
    return { state: { ...state, prompts, promptId: id, title }, effect: 'name' };
  const turn = state.turn + 1;
  return { state: { ...state, prompts, turn, promptId: id, title, isOpen: true, endedMs: null }, effect: 'begin' };
}

function changed(
  state: TurnState,
  { state: now, atMs }: { state: AgentState; atMs: number },
): { state: TurnState; effect: TurnEffect } {
  const isWorking = now === 'working' || now === 'needs_approval' || now === 'needs_input';
  const isOver = now === 'exited' || now === 'cleared';
  if (now === 'working' && !state.isOpen) {
    if (state.endedMs !== null && atMs - state.endedMs < PAUSE_MS)
      return { state: { ...state, isOpen: true, isWorking, endedMs: null }, effect: null };
    const turn = state.turn + 1;
    const next = { ...state, turn, isOpen: true, isWorking, promptId: null, title: '', endedMs: null };
    return { state: next, effect: 'begin' };
  }
  const isDone = isOver || (now === 'idle' && state.isWorking);
  if (state.isOpen && isDone) return ended({ ...state, isWorking: false }, atMs);
  const isUnclear = now === 'unknown' || now === 'starting';
  return { state: isUnclear ? state : { ...state, isWorking }, effect: null };
}

function ended(state: TurnState, atMs: number): { state: TurnState; effect: TurnEffect } {
  return { state: { ...state, isOpen: false, isWorking: false, endedMs: atMs }, effect: 'end' };
}
