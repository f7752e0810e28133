import { z } from 'zod';

export { MAX_PREFACE_BYTES, PREFACE_MS, PROTOCOL_VERSIONS } from './mcpWire.ts';

/**
 * What a client of the socket may do; each holds those before it, but for `raw`: bytes as they came, with every secret in them, which no other
 * scope holds. Authority comes from the person's policy file alone.
 */
export const Scope = z.enum(['observe', 'suggest', 'exec', 'input', 'manage', 'raw']);
export type Scope = z.infer<typeof Scope>;

/** Every way in which a tool refuses (mcp.md). */
export const FaultCode = z.enum([
  'PTY_NOT_FOUND',
  'PTY_GONE',
  'BLOCK_NOT_FOUND',
  'CURSOR_EXPIRED',
  'EPOCH_CHANGED',
  'SELF_PTY',
  'NOT_ALLOWED_SCOPE',
  'DENIED_BY_POLICY',
  'DENIED_BY_USER',
  'APPROVAL_EXPIRED',
  'BUSY',
  'USER_TYPING',
  'ALT_SCREEN',
  'CWD_MISMATCH',
  'SEQ_MISMATCH',
  'NO_SHELL_INTEGRATION',
  'UNKNOWN_KEY',
  'BAD_REGEX',
  'REGEX_TIMEOUT',
  'RATE_LIMITED',
  'TOO_LARGE',
  'BAD_INPUT',
  'APP_NOT_RUNNING',
  'APP_RESTARTED',
  'HOST_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
]);
export type FaultCode = z.infer<typeof FaultCode>;

/** An expected refusal of a tool, as its caller reads it: what was wrong, and what to do. Anything else that is thrown is a defect. */
export class ToolFault extends Error {
  readonly code: FaultCode;
  readonly suggestion: string;
  readonly retryAfterMs: number | null;
  readonly details: Readonly<Record<string, unknown>> | null;

  constructor(
    code: FaultCode,
    message: string,
    suggestion: string,
    more: { retryAfterMs?: number; details?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message);
    this.code = code;
    this.suggestion = suggestion;
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.details = more.details ?? null;
  }
}

/** Who calls: one connection of the socket. */
export interface McpCaller {
  /** One connection's; never used again. */
  readonly connectionId: string;
  /** Whom its calls are charged to: its process, or the connection where that is not known. Never the name. */
  readonly account: string;
  /** What the client calls itself, as a policy names it: [a-z0-9._-], at most 64; `unknown` where it says nothing. Claimed, not proved. */
  readonly name: string;
  /** As it wrote it, made safe to show. */
  readonly title: string;
  readonly version: string;
  /** The process that opened the connection (the bridge), as the kernel tells, or the preface where the kernel does not; null where neither does. */
  readonly pid: number | null;
  /** Real paths of the client's executable and script, read when it connected; absent if the kernel names no process. */
  readonly programs?: readonly string[];
  /** The open terminal that the caller's processes run in; null when they run in none of ours. */
  readonly terminalId: string | null;
  /** The kernel vouches for `terminalId`: the processes' ancestors were walked to a shell of ours, or to none. */
  readonly isVerified: boolean;
}

/** What stands in `Block.actor` for what that client did. */
export function actorOf(caller: Pick<McpCaller, 'name'>): string {
  return `agent:${caller.name}`;
}

/** First line on the socket, at most 4 KiB and within 2 s; then MCP, a JSON-RPC message a line. */
export const McpPreface = z.object({
  token: z.string().max(256),
  bridge_pid: z.number().int().positive().optional(),
  bridge_ppid: z.number().int().positive().optional(),
  cwd: z.string().max(2048).optional(),
  client_hint: z.string().max(128).optional(),
  /** Which tools the bridge was told to list (`--profile`); what may be called is the policy's alone. */
  profile: z.enum(['observe', 'standard', 'full']).optional(),
  /** The bridge was told to let watches speak up in the client's session (`--channel`). */
  channel: z.boolean().optional(),
});
export type McpPreface = z.infer<typeof McpPreface>;

/** endpoint.json (0600), where a bridge finds the running app; nothing about it is taken from the environment of a client. */
export const McpEndpoint = z.object({
  v: z.literal(1),
  pid: z.number().int().positive(),
  startedAt: z.number(),
  appVersion: z.string(),
  socketPath: z.string(),
  /** 256 bits, another at each start. */
  token: z.string(),
  protocolVersions: z.array(z.string()),
  /** Where the same is to be had over HTTP, while the person has it turned on. */
  httpUrl: z.string().optional(),
  /** Token for HTTP only, which stays the same at each start. Present with `httpUrl`. */
  httpToken: z.string().optional(),
});
export type McpEndpoint = z.infer<typeof McpEndpoint>;
