import { z } from 'zod';

/** A call of an MCP client for another machine: its core makes it there as if the client were connected to it, under its own policy. */
export const MachineCall = z.object({
  client: z.object({
    name: z.string().max(64),
    title: z.string().max(200),
    version: z.string().max(200),
    /** Whom the calls are charged to, by the core that passes them on; it lasts over cuts of the line. */
    account: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
    /** The kernel there vouches for where the client runs. */
    isVerified: z.boolean(),
    /** Host name of the core that passes it on. */
    from: z.string().max(255),
  }),
  tool: z.string().max(64),
  args: z.record(z.string(), z.unknown()),
});
export type MachineCall = z.infer<typeof MachineCall>;

/** What a tool gives, on the wire; texts are redacted by the machine that has them. */
export interface MachineAnswer {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly told: Readonly<Record<string, unknown>>;
  readonly text: Readonly<Record<string, string>>;
  readonly effective: Readonly<Record<string, number>>;
  readonly redactions: number;
  readonly images: readonly { readonly mimeType: string; readonly base64: string }[];
}

export interface MachineFault {
  readonly code: string;
  readonly message: string;
  readonly suggestion: string;
  readonly retryAfterMs: number | null;
}

/** Any number of `progress`, then one of the others. */
export type MachineCallEvent =
  | { readonly type: 'progress'; readonly message: string }
  | { readonly type: 'answer'; readonly answer: MachineAnswer }
  | { readonly type: 'fault'; readonly fault: MachineFault };
