import { z } from 'zod';
import type { FrameRow } from './frame.ts';
import { TerminalId } from './ids.ts';

/** What somebody or something said in an agent's conversation. */
export const ChatKind = z.enum([
  'welcome',
  'user',
  'model',
  'toolCall',
  'toolResult',
  'command',
  'permission',
  'notice',
  'exit',
]);
export type ChatKind = z.infer<typeof ChatKind>;

/** A tool as the screen shows it. What it does not show is absent, never guessed. */
export const ChatTool = z.object({
  name: z.string(),
  input: z.string().optional(),
  status: z.enum(['running', 'done', 'failed', 'denied', 'interrupted']).optional(),
  output: z.string().optional(),
});
export type ChatTool = z.infer<typeof ChatTool>;

/** Where a message comes from: a range of output.raw, the frame it was read from, and by what. */
export const ChatProvenance = z.object({
  rawStart: z.number().int().nonnegative(),
  rawEnd: z.number().int().nonnegative(),
  seq: z.number().int().nonnegative(),
  extractor: z.string(),
  extractorVersion: z.number().int(),
  /** 0 to 1: 1 is read from marks of the agent's own, less is read from its looks. */
  confidence: z.number().min(0).max(1),
});
export type ChatProvenance = z.infer<typeof ChatProvenance>;

/** One message of a conversation. A line of chat.jsonl for each version; the later one wins by `id`. */
export const ChatMessage = z.object({
  id: z.string(),
  terminalId: TerminalId,
  conversationId: z.string(),
  kind: ChatKind,
  /** Markdown. */
  text: z.string(),
  tool: ChatTool.optional(),
  /** False while it still streams. */
  final: z.boolean(),
  startedMs: z.number(),
  updatedMs: z.number(),
  provenance: ChatProvenance,
  actor: z.string().default('user'),
  /** The agent's own log has the same. */
  verified: z.boolean().optional(),
});
export type ChatMessage = z.infer<typeof ChatMessage>;

/** What an extractor reads: the agent's rows with their looks, scrollback since it started and the screen, or plain lines. */
export interface ChatSnapshot {
  readonly rows: readonly FrameRow[];
  /** Index of the screen's first row in `rows`. */
  readonly screenTop: number;
  readonly cols: number;
  readonly altScreen: boolean;
  readonly title: string;
  /** Row of the screen, or null when it is hidden. */
  readonly cursorRow: number | null;
}

/** A message as one snapshot shows it, before it is merged into the log. Rows are indices into the snapshot's. */
export interface ExtractedMessage {
  readonly kind: ChatKind;
  readonly text: string;
  readonly tool?: ChatTool;
  readonly fromRow: number;
  /** First row behind it. */
  readonly toRow: number;
  /** Its first rows have scrolled out of the snapshot: `text` is the end of it. */
  readonly isHeadCut: boolean;
  /** Rows that follow may still belong to it: it is the last one, and the agent is at work. */
  readonly isOpen: boolean;
  readonly confidence: number;
}

export const AgentState = z.enum(['starting', 'idle', 'working', 'needs_approval', 'needs_input', 'exited', 'unknown']);
export type AgentState = z.infer<typeof AgentState>;

/** What one snapshot tells. */
export interface Extraction {
  readonly messages: readonly ExtractedMessage[];
  readonly state: AgentState;
  /** The rule that decided the state and the line it matched, for people. */
  readonly evidence: { readonly rule: string; readonly line: string } | null;
  /** Something covers the conversation (a dialog, a menu, a transcript overlay): add only, take nothing away. */
  readonly isCovered: boolean;
}

/** The static parser of one agent's screens. Pure: the same snapshot gives the same. */
export interface IExtractor {
  readonly name: string;
  readonly version: number;
  /** Whether this is the agent's screen, 0 to 1, by its welcome or its input box. */
  recognise(snapshot: ChatSnapshot): number;
  extract(snapshot: ChatSnapshot): Extraction;
}
