import type { Pace, ToolResult, ToolUse } from './script.ts';

/** JSON of another's making: looked into, never trusted to have a shape. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of requests are read by what they say, not by a schema of ours
export type Json = any;

/** A tool as a request offers it. */
export interface OfferedTool {
  readonly name: string;
  /** Names of its arguments; none for one that takes free text. */
  readonly args: readonly string[];
  readonly required: readonly string[];
  readonly isFreeText: boolean;
}

/** What of a request decides the answer. */
export interface ModelRequest {
  readonly tools: readonly OfferedTool[];
  /** Text of the last message, where it is the person's (or the agent's own in the person's name). */
  readonly lastText: string;
  /** Of all calls of tools whose results are in the request. */
  readonly results: readonly ToolResult[];
  /** The last message is results of tools. */
  readonly endsInResult: boolean;
  /** What the answer must be, when it must be JSON. */
  readonly schema: Json | null;
  readonly isStream: boolean;
}

/** A call as it goes out: the agent's own name for the tool, and its arguments. */
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

/** Where an answer is written to. */
export interface Sink {
  /** One server-sent event. */
  event(data: Json, name?: string): void;
  json(data: Json): void;
  /** Resolves after one beat of the pace; false when the agent has hung up. */
  beat(pace: Pace): Promise<boolean>;
  /** So many characters of the text are out. */
  sent(characters: number): void;
}

/** A language that agents speak with their model. */
export interface Protocol {
  /** The path asks for an answer of the model. */
  asks(path: string): boolean;
  /** What else is answered, such as counts of tokens; null for a path that is not of this protocol. */
  other(path: string, body: Json): Json | null;
  read(path: string, body: Json): ModelRequest;
  write(answer: Answer, request: ModelRequest, sink: Sink): Promise<void>;
}

/** The agent's own tool for what the script wants done. Throws with what is offered when there is none. */
export type NameTool = (use: ToolUse, offered: readonly OfferedTool[]) => Omit<ToolCall, 'id'>;

/** The texts of a content, which may be one string or parts; parts of another kind as JSON. */
export function textOfParts(content: Json): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part: Json) => part.text ?? JSON.stringify(part)).join('\n');
}

/** The least that a JSON schema allows. */
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
