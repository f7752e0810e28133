import type { Fields } from '../reconcile/jsonFields.ts';
import type { LogTool } from '../reconcile/LogMessage.ts';
import type { Evidence } from './Evidence.ts';

/** A piece of a conversation, as reported by a hook. */
export type HookPiece =
  | { type: 'prompt'; text: string }
  /** The `index`th piece of the text of the message `id`. */
  | { type: 'delta'; id: string; index: number; text: string }
  /** The last message of a turn, whole. */
  | { type: 'said'; text: string }
  /** `id` is null if the agent gives calls no ids; a result then belongs to the oldest open call of its name. */
  | { type: 'call'; id: string | null; tool: LogTool }
  | { type: 'result'; id: string | null; name: string; output: string; status: LogTool['status'] };

/** The content of one event of an agent's hooks. */
export interface HookSignal {
  readonly evidence: Evidence | null;
  readonly piece: HookPiece | null;
  /** The session's id and the path of its agent log. */
  readonly session: { readonly id: string | null; readonly logPath: string | null };
}

/** An event for which a hook is set up. */
export interface HookEvent {
  readonly name: string;
  /** Sent for each piece of streamed text, in a new process each time, so it is set up on demand only. */
  readonly isStream?: boolean;
  readonly matcher?: string;
}

/** Describes one agent's hooks. Pure. */
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
  /** A sentence about what else the person has to do; null for nothing. */
  readonly remark: string | null;
  read(event: string, payload: Fields): HookSignal;
}
