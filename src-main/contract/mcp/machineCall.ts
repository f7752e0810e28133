import { z } from 'zod';

/** A call of an MCP client for another machine: that machine's core makes it under its own policy, as if the client were connected to it. */
export const MachineCall = z.object({
  client: z.object({
    name: z.string().max(64),
    title: z.string().max(200),
    version: z.string().max(200),
    /** Account for the calls, named by the core that passes them on; it survives lost connections. */
    account: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
    /** The kernel there proves where the client runs. */
    isVerified: z.boolean(),
    /** Host name of the core that passes the call on. */
    from: z.string().max(255),
  }),
  tool: z.string().max(64),
  args: z.record(z.string(), z.unknown()),
});
export type MachineCall = z.infer<typeof MachineCall>;

/** The result of a tool on the wire; the machine that has the texts redacts them. */
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
