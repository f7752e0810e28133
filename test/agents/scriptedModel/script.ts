/** How a text is sent: a few words at a time, or all at once. */
export type Pace = 'burst' | { readonly words: number; readonly everyMs: number };

/** The usual pace of a model: three words every 25 ms. */
export const TYPING: Pace = { words: 3, everyMs: 25 };
/** Slow enough for actions of the person during the answer. */
export const SLOW: Pace = { words: 2, everyMs: 80 };

/** An action that the model requests, independent of an agent's tools. Paths are relative to the project folder. */
export type ToolUse =
  | {
      readonly does: 'shell';
      readonly command: string;
      /** Output of the command, if the case knows it. */
      readonly prints?: string;
      readonly fails?: boolean;
    }
  | { readonly does: 'read'; readonly path: string }
  | { readonly does: 'write'; readonly path: string; readonly content: string }
  | { readonly does: 'edit'; readonly path: string; readonly find: string; readonly replace: string };

/** The model's answer to one request. The agent runs a `tool`, or a `call` in the agent's own form, and sends another request. */
export interface Reply {
  readonly thinking?: string;
  readonly text?: string;
  readonly pace?: Pace;
  readonly tool?: ToolUse;
  readonly call?: { readonly name: string; readonly input: unknown };
}

/** Result of one call, as the agent sends it to its model. */
export interface ToolResult {
  readonly id: string;
  readonly text: string;
}

/** A model whose answer depends on the results so far and the offered tools. It must be pure, because requests may be repeated. */
export type ReadingModel = (seen: {
  readonly results: readonly ToolResult[];
  /** Names of the offered tools. */
  readonly offered: readonly string[];
}) => Reply | undefined;

/** A prompt and the replies to its requests, in order. */
export interface Turn {
  readonly prompt: string;
  readonly replies: readonly Reply[] | ReadingModel;
}

/** Splits `text` into the pieces in which it is sent. The pieces join to `text`. */
export function piecesOf(text: string, pace: Pace): string[] {
  if (text === '') return [];
  if (pace === 'burst') return [text];
  const words = text.match(/\S+\s*|\s+/g) ?? [text];
  const pieces: string[] = [];
  for (let at = 0; at < words.length; at += pace.words) pieces.push(words.slice(at, at + pace.words).join(''));
  return pieces;
}
