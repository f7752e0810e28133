import type { Pace, ToolResult, ToolUse } from './script.ts';

/** JSON from an agent, of unknown shape. */
// biome-ignore lint/suspicious/noExplicitAny: request bodies have no schema of ours
export type Json = any;

/** A tool that a request offers. */
export interface OfferedTool {
  readonly name: string;
  /** Names of the arguments; empty for a tool that takes free text. */
  readonly args: readonly string[];
  readonly required: readonly string[];
  readonly isFreeText: boolean;
}

/** The parts of a request that determine the answer. */
export interface ModelRequest {
  readonly tools: readonly OfferedTool[];
  /** Text of the last message, if its role is the person's; the agent may have written it. */
  readonly lastText: string;
  /** All tool results in the request. */
  readonly results: readonly ToolResult[];
  /** Whether the last message contains tool results. */
  readonly endsInResult: boolean;
  /** JSON schema of the answer, if the request requires one. */
  readonly schema: Json | null;
  readonly isStream: boolean;
}

/** A call as the protocol sends it: the agent's name for the tool, and its arguments. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
}

export interface Answer {
  readonly thinking: string;
  readonly text: string;
  readonly pace: Pace;
  readonly call: ToolCall | null;
}

/** Receives an answer. */
export interface Sink {
  /** Sends one server-sent event. */
  event(data: Json, name?: string): void;
  json(data: Json): void;
  /** Waits for one interval of the pace; resolves with false if the agent has disconnected. */
  beat(pace: Pace): Promise<boolean>;
  /** Reports that further characters of the text were sent. */
  sent(characters: number): void;
}

/** A model API that agents use. */
export interface Protocol {
  /** Whether the path requests an answer of the model. */
  asks(path: string): boolean;
  /** Answer to another request, such as a token count; null if the path is not part of this protocol. */
  other(path: string, body: Json): Json | null;
  read(path: string, body: Json): ModelRequest;
  write(answer: Answer, request: ModelRequest, sink: Sink): Promise<void>;
}

/** Finds the agent's tool for an action of the script. Throws with the list of offered tools if there is none. */
export type NameTool = (use: ToolUse, offered: readonly OfferedTool[]) => Omit<ToolCall, 'id'>;

/** Text of a content, which is a string or parts; parts of other kinds become JSON. */
export function textOfParts(content: Json): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part: Json) => part.text ?? JSON.stringify(part)).join('\n');
}

/** A minimal value that a JSON schema allows. */
export function leastOf(schema: Json): Json {
  if (schema?.enum) return schema.enum[0];
  const type = String(Array.isArray(schema?.type) ? schema.type[0] : (schema?.type ?? 'object')).toLowerCase();
  if (type === 'object') {
    const entries = Object.entries(schema?.properties ?? {});
    return Object.fromEntries(entries.map(([name, part]) => [name, leastOf(part)]));
  }
  if (type === 'array') return [];
  if (type === 'boolean') return false;
  if (type === 'number' || type === 'integer') return 0;
  return 'Scripted';
}
