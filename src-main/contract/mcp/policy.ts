import { z } from 'zod';
import { Scope } from './mcp.ts';

/** An object that refuses unknown keys and names the known ones: a misspelt rule must not count as no rule. */
function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `unknown key ${issue.keys.join(', ')}; allowed here: ${known}` : undefined,
  });
}

/** Longer patterns are too slow for their use; the same limit applies to searches. */
export const MAX_RAW_REGEX_CHARS = 512;

const PolicyWord = z
  .string()
  .min(1)
  .max(256)
  .refine((word) => !/\p{C}/u.test(word), 'a word has no control or invisible characters');
const Flag = PolicyWord.regex(/^-/, 'a flag begins with "-"');
/** The words with which a command begins; a list matches any one of its words. */
const RuleArgv = z.array(z.union([PolicyWord, z.array(PolicyWord).min(1)])).min(1);

/** Allows a simple command that begins with `argv`, has none of the flags, and does nothing that no rule can allow. */
export const AllowRule = strict({ argv: RuleArgv, flags_deny: z.array(Flag).optional() });
export type AllowRule = z.infer<typeof AllowRule>;

/**
 * Allows a program that runs code from files of a folder (a test runner, a task). A command must begin with exactly `argv` and run in `cwd` or
 * below it. After these words it may have only the options named here, and words that do not lead out of the folder. Anyone who can change
 * files there decides what runs.
 */
export const TrustRule = strict({
  argv: z.array(PolicyWord).min(2),
  cwd: z
    .string()
    .max(4096)
    .regex(/^\/(?!\/*$)/, 'the absolute path of a folder, and not "/"'),
  options: z.array(Flag).default([]),
});
export type TrustRule = z.infer<typeof TrustRule>;

/**
 * Either `argv`, whose words a command has in this order, with any folder before the program's name, and then at least one of
 * `flags_any`, if given; or `raw_regex`, searched in the text to be typed.
 */
export const DenyRule = strict({
  argv: RuleArgv.optional(),
  flags_any: z.array(Flag).min(1).optional(),
  raw_regex: z.string().min(1).max(MAX_RAW_REGEX_CHARS).refine(isPattern, 'no pattern that can be read').optional(),
})
  .refine((rule) => (rule.argv === undefined) !== (rule.raw_regex === undefined), 'either argv or raw_regex')
  .refine((rule) => rule.raw_regex === undefined || rule.flags_any === undefined, 'flags_any goes with argv');
export type DenyRule = z.infer<typeof DenyRule>;

const Verdict = z.enum(['allow', 'ask', 'deny']);
/** For cases without `allow`: a command that is not understood to its last character never runs unasked. */
const AskOrDeny = z.enum(['ask', 'deny']);

const Exec = strict({
  /** For commands that no rule matches. */
  default: AskOrDeny.default('ask'),
  allow: z.array(AllowRule).default([]),
  trust: z.array(TrustRule).default([]),
  deny: z.array(DenyRule).default([]),
  /** `allow` permits a redirection only to a plain relative path below the folder, or to /dev/null. */
  redirects: Verdict.default('ask'),
  /** For substitution of commands, processes, parameters and arithmetic. */
  substitution: AskOrDeny.default('ask'),
  multiline: Verdict.default('ask'),
  /** Redirections to /dev/tcp and /dev/udp. */
  network_redirect: AskOrDeny.default('deny'),
});

const Input = strict({
  default: Verdict.default('deny'),
  /** Writing to an agent that shows a dialog. */
  agent_dialogs: AskOrDeny.default('deny'),
  /** A client may never write to its own terminal, where it would approve its own requests. */
  own_pty: z.literal('deny').default('deny'),
  typing_hold_ms: z.int().min(1000).max(600_000).default(15_000),
});

/** Per client. */
const Limits = strict({
  exec_per_min: z.int().min(0).max(600).default(10),
  reads_per_min: z.int().min(0).max(10_000_000).default(240),
  waits_concurrent: z.int().min(1).max(32).default(4),
  bytes_per_min: z
    .int()
    .min(0)
    .max(1024 ** 3)
    .default(8 * 1024 ** 2),
  queue_len: z.int().min(1).max(64).default(8),
});
export type PolicyLimits = z.infer<typeof Limits>;

const Ptys = strict({
  default: z.enum(['visible', 'private']).default('visible'),
  /** `tag:NAME`, `id:TERMINAL`, or `cwd:/folder` for terminals in that folder or below it. */
  private: z
    .array(z.string().regex(/^(?:tag:.+|id:[A-Za-z0-9_-]{1,64}|cwd:\/.*)$/, 'tag:NAME, id:TERMINAL or cwd:/FOLDER'))
    .default([]),
});

const ClientName = z.string().regex(/^(?:\*|[a-z0-9._-]{1,64})$/, '"*" or a name of a-z, 0-9, ".", "_", "-"');
/** JSON schemas have no comments, so this text is where a person reads what they enable. */
const REMOTE_APPROVAL =
  "Whether a client may ask its own person whether a command may run, where it shows such questions (MCP elicitation), besides the app's window. The first answer counts; from there it is for that one command, once. A program can answer in the person's place: turn it on only for a client that you sit in front of.";
const PROGRAM =
  'Absolute path of the client: its executable or, if an interpreter runs it, its script; a link counts as what it leads to. Clients name themselves, so without a program this rule is for whatever takes the name. With one, any other program of that name has the scopes of "*".';
const Client = strict({
  scopes: z.array(Scope).default([]),
  remote_approval: z.boolean().optional().describe(`${REMOTE_APPROVAL} Stands above the remote_approval of all.`),
  program: z.string().regex(/^\//, 'an absolute path').optional().describe(PROGRAM),
});

/**
 * policy.json in the data folder, comments allowed: permissions of MCP clients. Only the person writes it; files of a workspace are
 * never used. Every key has a default, and the defaults are those of an absent file: clients may read, but not act.
 */
export const Policy = strict({
  $schema: z.string().optional(),
  version: z.literal(1).default(1),
  /** By the exact name of a client; `*` for all others. */
  clients: z.record(ClientName, Client).default({ '*': { scopes: ['observe'] } }),
  ptys: Ptys.prefault({}),
  exec: Exec.prefault({}),
  input: Input.prefault({}),
  limits: Limits.prefault({}),
  remote_approval: z.boolean().default(false).describe(REMOTE_APPROVAL),
});
export type Policy = z.infer<typeof Policy>;

/** The policy without a file. */
export const DEFAULT_POLICY: Policy = Policy.parse({});

/** Replaces an unusable file, which may have hidden a terminal or denied a command. */
export const STRICTEST_POLICY: Policy = Policy.parse({
  ptys: { default: 'private' },
  exec: { default: 'deny', redirects: 'deny', substitution: 'deny', multiline: 'deny' },
});

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false; // the schema reports it
  }
}
