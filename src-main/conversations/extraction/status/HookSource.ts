import type { Fields } from '../reconcile/jsonFields.ts';
import type { LogTool } from '../reconcile/LogMessage.ts';
import type { Evidence } from './Evidence.ts';

/** A piece of a conversation as a hook tells it. */
export type HookPiece =
  | { type: 'prompt'; text: string }
  /** The `index`th piece of the text of the message `id`. */
  | { type: 'delta'; id: string; index: number; text: string }
  /** The last message of a turn, whole. */
  | { type: 'said'; text: string }
  /** `id` is null where the agent gives calls none: then a result is the oldest open call's of that name. */
  | { type: 'call'; id: string | null; tool: LogTool }
  | { type: 'result'; id: string | null; name: string; output: string; status: LogTool['status'] };

/** What one event of an agent's hooks tells. */
export interface HookSignal {
  readonly evidence: Evidence | null;
  readonly piece: HookPiece | null;
  /** Which session, and where its own log is. */
  readonly session: { readonly id: string | null; readonly logPath: string | null };
}

/** An event that is asked for. */
export interface HookEvent {
  readonly name: string;
  /** Told for every piece of streamed text: a process each, so only on demand. */
  readonly isStream?: boolean;
  readonly matcher?: string;
}

/** All that is known of one agent's hooks. Pure. */
export interface HookSource {
  /** Name of the extractor. */
  readonly agent: string;
  /** The JSON file with its `hooks`. */
  settingsFile(home: string, env: Readonly<Record<string, string | undefined>>): string;
  readonly events: readonly HookEvent[];
  /** How long the agent waits for a hook, in its own unit: seconds or milliseconds. */
  readonly timeout: number;
  /** Fields of an entry besides its type, command and timeout. */
  readonly entry?: Fields;
  /** What the person has to do besides, in a sentence; null for nothing. */
  readonly remark: string | null;
  read(event: string, payload: Fields): HookSignal;
}
