import { z } from 'zod';
import { TerminalId } from '../ids.ts';

/** A part of a command as shown to a person: `hidden` parts are a visible name of an invisible character (`⇥`, `U+202E`). */
export const ShownPart = z.object({ text: z.string(), hidden: z.boolean() });
export type ShownPart = z.infer<typeof ShownPart>;

/** A request that waits for the person's answer. It is immutable: the hash covers the text to be typed. */
export const Approval = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  terminalId: TerminalId,
  /** Id of its future block. */
  blockId: z.string(),
  client: z.object({
    name: z.string(),
    title: z.string(),
    terminalId: z.nullable(TerminalId),
    isVerified: z.boolean(),
  }),
  /**
   * `command`: `cmd` would be run. `keys`: it would be typed into a program. `control`: the client wants to type; `cmd` says for how long. `answer`:
   * an option of an agent's question would be chosen; `cmd` has the question and the option. `prompt`: an agent would get `cmd` as a prompt.
   */
  kind: z.enum(['command', 'keys', 'control', 'answer', 'prompt']).default('command'),
  /** The client's reason, in its own words. */
  reason: z.string().nullable(),
  /** The client claims that it changes nothing: information for the person, without effect. */
  saysReadOnly: z.boolean().default(false),
  cmd: z.string(),
  shown: z.array(ShownPart),
  cwd: z.string().nullable(),
  /** SHA-256 over command, cwd, terminal and screen (its epoch; for an answer to an agent's dialog also its content), hex. */
  hash: z.string(),
  /** Reason why it was not allowed at once. */
  rule: z.string(),
  why: z.string(),
  subcommand: z.string().nullable(),
  /** The argument prefix that "allow here until closed" would cover; null if that is not offered. */
  prefix: z.array(z.string()).nullable(),
  askedMs: z.number(),
  expiresMs: z.number(),
});
export type Approval = z.infer<typeof Approval>;

/** `exact`: this command in this terminal until it is closed; `prefix`: any command that begins like this. Neither outlives the terminal. */
export const ApprovalAnswer = z.discriminatedUnion('choice', [
  z.object({ choice: z.literal('once') }),
  z.object({ choice: z.literal('exact') }),
  z.object({ choice: z.literal('prefix') }),
  z.object({ choice: z.literal('deny'), reason: z.string().max(300).default('') }),
]);
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;

export type ApprovalChange =
  | { type: 'all'; approvals: Approval[] }
  | { type: 'asked'; approval: Approval }
  | { type: 'gone'; id: string; outcome: 'approved' | 'denied' | 'expired' | 'cancelled' };

/** A client's temporary hold on the terminal's input; any key of the person ends it. */
export interface Lease {
  readonly id: string;
  readonly terminalId: string;
  readonly client: string;
  readonly reason: string;
  readonly fromMs: number;
  readonly untilMs: number;
  /** `with-user`: handed back for a moment; a click of the person returns it. */
  readonly state: 'held' | 'with-user';
}

/** Current activity of clients in a terminal, for its frame and its tab. */
export interface AgentPresence {
  readonly terminalId: string;
  readonly lease: Lease | null;
  /** Commands that wait for an idle terminal or for approval, oldest first. */
  readonly queue: readonly {
    blockId: string;
    client: string;
    cmd: string;
    state: 'queued' | 'awaiting_approval' | 'held';
  }[];
  /** The client whose command runs now. */
  readonly running: string | null;
}
