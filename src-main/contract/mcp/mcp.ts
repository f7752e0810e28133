import { z } from 'zod';

export { MAX_PREFACE_BYTES, PREFACE_MS, PROTOCOL_VERSIONS } from './mcpWire.ts';

/**
 * Permissions of a client of the socket; each includes those before it, except for `raw`: the original bytes with all secrets, which no other
 * scope includes. Authority comes only from the person's policy file.
 */
export const Scope = z.enum(['observe', 'suggest', 'exec', 'input', 'manage', 'raw']);
export type Scope = z.infer<typeof Scope>;

/** All refusals of tools (mcp.md). */
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
  'UNREADABLE',
]);
export type FaultCode = z.infer<typeof FaultCode>;

/** An expected refusal of a tool for its caller: what was wrong, and what to do. Any other thrown value is a defect. */
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

/** The caller: one connection of the socket. */
export interface McpCaller {
  /** Id of one connection; never reused. */
  readonly connectionId: string;
  /** Account for its calls: its process, or the connection if the process is unknown. Never the name. */
  readonly account: string;
  /** Proved name of its process or token, which is the same after a restart of the core; null if there is no proof. */
  readonly owner: string | null;
  /** The client's own name, as a policy names it: [a-z0-9._-], at most 64; `unknown` without one. Claimed, not proved. */
  readonly name: string;
  /** The name as the client wrote it, made safe to show. */
  readonly title: string;
  readonly version: string;
  /** The process that opened the connection (the bridge), from the kernel or, failing that, from the preface; null if both lack it. */
  readonly pid: number | null;
  /** Real paths of the client's executable and script, read when it connected; absent if the kernel names no process. */
  readonly programs?: readonly string[];
  /** The open terminal in which the caller's processes run; null if they run in none of ours. */
  readonly terminalId: string | null;
  /** The kernel proves `terminalId`: the processes' ancestors lead to a shell of ours, or to none. */
  readonly isVerified: boolean;
}

/** Value of `Block.actor` for that client's blocks. */
export function actorOf(caller: Pick<McpCaller, 'name'>): string {
  return `agent:${caller.name}`;
}

/** First line on the socket, at most 4 KiB and within 2 s; then MCP, one JSON-RPC message per line. */
export const McpPreface = z.object({
  token: z.string().max(256),
  bridge_pid: z.number().int().positive().optional(),
  bridge_ppid: z.number().int().positive().optional(),
  cwd: z.string().max(2048).optional(),
  client_hint: z.string().max(128).optional(),
  /** Tools that the bridge lists (`--profile`); only the policy decides which may be called. */
  profile: z.enum(['observe', 'standard', 'full']).optional(),
  /** Watches may send notifications into the client's session (`--channel`). */
  channel: z.boolean().optional(),
});
export type McpPreface = z.infer<typeof McpPreface>;

/** endpoint.json (0600), in which a bridge finds the running app. Nothing in it comes from a client's environment. */
export const McpEndpoint = z.object({
  v: z.literal(1),
  pid: z.number().int().positive(),
  startedAt: z.number(),
  appVersion: z.string(),
  socketPath: z.string(),
  /** 256 bits, random at each start. */
  token: z.string(),
  protocolVersions: z.array(z.string()),
  /** Address of the same tools over HTTP, if the person has turned it on. */
  httpUrl: z.string().optional(),
  /** Token for HTTP only, which stays the same at each start. Present with `httpUrl`. */
  httpToken: z.string().optional(),
});
export type McpEndpoint = z.infer<typeof McpEndpoint>;
