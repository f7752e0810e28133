/** How a text comes: some words at a time, or all at once. */
export type Pace = 'burst' | { readonly words: number; readonly everyMs: number };

/** As models type: three words every 25 ms. */
export const TYPING: Pace = { words: 3, everyMs: 25 };
/** Slow enough that a person can do something meanwhile. */
export const SLOW: Pace = { words: 2, everyMs: 80 };

/** What the model asks the agent to do, in words of no agent. Paths are in the project folder. */
export type ToolUse =
  | {
      readonly does: 'shell';
      readonly command: string;
      /** What it prints, where the case knows. */
      readonly prints?: string;
      readonly fails?: boolean;
    }
  | { readonly does: 'read'; readonly path: string }
  | { readonly does: 'write'; readonly path: string; readonly content: string }
  | { readonly does: 'edit'; readonly path: string; readonly find: string; readonly replace: string };

/** What the model answers to one request. With a tool, or a call in the agent's own words, the agent runs it and asks again. */
export interface Reply {
  readonly thinking?: string;
  readonly text?: string;
  readonly pace?: Pace;
  readonly tool?: ToolUse;
  readonly call?: { readonly name: string; readonly input: unknown };
}

/** What came of one call, as the agent tells its model. */
export interface ToolResult {
  readonly id: string;
  readonly text: string;
}

/** A model that reads: what it answers follows from the results so far and the tools offered. Pure: it may be asked the same twice. */
export type ReadingModel = (seen: {
  readonly results: readonly ToolResult[];
  /** Names of the tools on offer. */
  readonly offered: readonly string[];
}) => Reply | undefined;

/** One prompt and what is answered to it, request by request. */
export interface Turn {
  readonly prompt: string;
  readonly replies: readonly Reply[] | ReadingModel;
}

/** `text` in the pieces in which it is sent. Joined they are the text again. */
export function piecesOf(text: string, pace: Pace): string[] {
  if (text === '') return [];
  if (pace === 'burst') return [text];
  const words = text.match(/\S+\s*|\s+/g) ?? [text];
  const pieces: string[] = [];
  for (let at = 0; at < words.length; at += pace.words) pieces.push(words.slice(at, at + pace.words).join(''));
  return pieces;
}
