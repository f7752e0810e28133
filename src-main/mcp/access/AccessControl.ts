import { realpathSync } from 'node:fs';
import { type McpCaller, type Scope, ToolFault } from '../../contract/mcp/mcp.ts';
import type { Policy } from '../../contract/mcp/policy.ts';
import type { PolicyRules } from '../../contract/mcp/policyRules.ts';
import type { Notices } from '../../notices/Notices.ts';
import { isPrivate } from '../../policy/isPrivate.ts';
import type { RateAnswer, RateLimit } from '../../policy/RateLimit.ts';
import {
  expectedProgram,
  hasScope,
  mayAskItsPerson,
  type PolicyClient,
  scopesOf,
  scopesWith,
} from '../../policy/scopeOf.ts';
import { PolicyFile } from '../../store/instance/policyFile.ts';
import { readPolicyRules } from '../../store/instance/readPolicyRules.ts';
import { Emitter } from '../../util/Emitter.ts';
import { Accounts } from './Accounts.ts';
import { AllowedCommandsFile } from './AllowedCommandsFile.ts';
import { runsProgram } from './clientProgram.ts';

/** Limit for all clients together (mcp.md, "Numbers"); each account has its own limit too. */
const MAX_WAITS = 32;
/** A client that keeps asking sends its next call within this time of the last one, even on a busy machine. */
const ASKS_ON_MS = 50;
/** Number of rules that a summary lists. */
const MAX_SUMMARY = 12;
const NOTICE = 'policy';

/** What a call needs to be admitted. */
export interface Passage {
  readonly tool: string;
  readonly scope: Scope;
  readonly isWait: boolean;
  /** A call that was admitted before and returns with the answer it was sent back for. */
  readonly isRetry?: boolean;
}

/** The part of a caller that its scopes depend on. */
type NamedCaller = Pick<McpCaller, 'name' | 'programs'>;

/** The caller as a policy knows it. */
export function policyClient({ name, programs = [] }: NamedCaller): PolicyClient {
  return { name, isRunning: (program) => runsProgram(programs, program) };
}

/** Applies the person's policy to calls: who may do what and how often, and which terminals outside clients may see. */
export class AccessControl {
  readonly #file: PolicyFile;
  readonly #notices: Notices;
  readonly #now: { nowMs(): number; monotonicMs(): number };
  #last: Policy | null = null;
  /** The words that the rules are about, for shells. */
  readonly words: AllowedCommandsFile;
  /** Who is connected, for limits and counts. */
  readonly accounts: Accounts;
  readonly #changed = new Emitter<Policy>();
  /** Fires when the file's content differs from the last read. */
  readonly onPolicy = this.#changed.on;
  #waits = 0;
  #askedMs = Number.NEGATIVE_INFINITY;
  #told: string | null = null;
  /** The policy as read in this turn of the event loop: a call asks a dozen times. */
  #read: Policy | null = null;

  constructor(spec: {
    dataFolder: string;
    notices: Notices;
    clock: { nowMs(): number; monotonicMs(): number };
  }) {
    this.#file = new PolicyFile(spec.dataFolder);
    this.words = new AllowedCommandsFile(spec.dataFolder);
    this.#notices = spec.notices;
    this.#now = spec.clock;
    this.accounts = new Accounts(
      () => this.policy.limits,
      () => this.#now.monotonicMs(),
    );
  }

  /** The rules currently in the person's file; null if none apply. */
  rules(): PolicyRules | null {
    return readPolicyRules(this.#file.path);
  }

  /** The current policy. Raises one notice per fault if the file cannot be used. */
  get policy(): Policy {
    if (this.#read) return this.#read;
    const { policy, problem } = this.#file.read();
    this.#read = policy;
    const isOther = policy !== this.#last;
    if (isOther) this.words.write(policy);
    this.#last = policy;
    process.nextTick(() => {
      this.#read = null; // after the microtasks of this turn, so that calls that arrive together get the same policy
    });
    const text = problem === null ? null : `${problem.path}${place(problem)}: ${problem.reason}`;
    if (text !== this.#told) {
      this.#told = text;
      if (text === null) this.#notices.clear(NOTICE, this.#now.nowMs());
      else
        this.#notices.raise({
          key: NOTICE,
          level: 'warning',
          text: `The policy for outside agents cannot be used, so they see and may do nothing: ${text}`,
          action: null,
          terminalId: null,
          atMs: this.#now.nowMs(),
        });
    }
    if (isOther) this.#changed.fire(policy);
    return policy;
  }

  /** Whether a client is asking right now, not only waiting. */
  get isAsked(): boolean {
    return this.#now.monotonicMs() - this.#askedMs < ASKS_ON_MS;
  }

  has(caller: NamedCaller, scope: Scope): boolean {
    return hasScope(this.policy, policyClient(caller), scope);
  }

  /** Whether the caller may also put a question about its command to its own person. */
  mayAskItsPerson(caller: NamedCaller): boolean {
    return mayAskItsPerson(this.policy, policyClient(caller));
  }

  scopes(caller: NamedCaller): readonly Scope[] {
    return scopesOf(this.policy, policyClient(caller));
  }

  /** Calls `look` only if a rule needs it. Tags are the #words in the tab name that the person gave. */
  isPrivate(id: string, look: () => { cwd: string | null; name: string | null }): boolean {
    const { policy } = this;
    if (policy.ptys.default === 'private') return true;
    if (policy.ptys.private.length === 0) return false;
    const { cwd, name } = look();
    const tags = [...(name ?? '').matchAll(/(?:^|\s)#([\p{L}\p{N}_-]+)/gu)].map(([, tag = '']) => tag);
    return isPrivate(policy, { id, cwd: real(cwd), tags });
  }

  get limits(): Record<string, number> {
    return { ...this.policy.limits, typing_hold_ms: this.policy.input.typing_hold_ms };
  }

  /** A summary of the rules for the client: what it may try, and what is pointless. */
  summary(caller: NamedCaller): Record<string, unknown> {
    const { exec, input } = this.policy;
    const words = (rule: {
      argv?: readonly (string | readonly string[])[] | undefined;
      raw_regex?: string | undefined;
    }): string =>
      rule.argv?.map((word) => (typeof word === 'string' ? word : word.join('|'))).join(' ') ?? `/${rule.raw_regex}/`;
    return {
      exec_default: this.has(caller, 'exec') ? exec.default : this.has(caller, 'suggest') ? 'ask' : 'not_allowed',
      allow_summary: exec.allow.slice(0, MAX_SUMMARY).map(words),
      deny_summary: exec.deny.slice(0, MAX_SUMMARY).map(words),
      input_default: this.has(caller, 'input') ? input.default : 'not_allowed',
    };
  }

  /** Admits a call, or throws the reason for refusing it. Call the returned function when the call is over, with the size of its answer. */
  enter(passage: Passage, caller: McpCaller): (bytes: number) => void {
    const { policy } = this;
    if (!hasScope(policy, policyClient(caller), passage.scope)) throw this.#notAllowed(passage, caller);
    const { limits } = policy;
    const rates = this.accounts.rates(caller.account);
    const nowMs = this.#now.monotonicMs();
    check(rates.take(passage.tool === 'pty_exec' && !passage.isRetry ? 'exec' : 'reads', limits, nowMs), 'calls');
    check(rates.mayRead(limits, nowMs), 'bytes');
    if (!passage.isWait) this.#askedMs = nowMs;
    const endWait = passage.isWait ? this.#beginWait(rates, limits) : null;
    return (bytes) => {
      endWait?.();
      rates.spend(bytes, limits, this.#now.monotonicMs());
    };
  }

  /** Begins a wait for a call that can do without one. Returns the function that ends it, or null at the limit of open waits. */
  tryWait({ account }: Pick<McpCaller, 'account'>): (() => void) | null {
    return this.#takeWait(this.accounts.rates(account), this.policy.limits);
  }

  /** Begins a wait for a call that needs one. Returns the function that ends it; throws at the limit of open waits. */
  beginWait({ account }: Pick<McpCaller, 'account'>): () => void {
    return this.#beginWait(this.accounts.rates(account), this.policy.limits);
  }

  /** Counts commands that a call runs in addition to its own. Throws beyond the limit. */
  countCommands({ account }: Pick<McpCaller, 'account'>, count: number): void {
    const rates = this.accounts.rates(account);
    check(rates.take('exec', this.policy.limits, this.#now.monotonicMs(), count), 'commands');
  }

  #beginWait(rates: RateLimit, limits: Policy['limits']): () => void {
    const wait = this.#takeWait(rates, limits);
    if (!wait)
      throw new ToolFault(
        'RATE_LIMITED',
        `${limits.waits_concurrent} waits of yours are under way`,
        'end one, or use one wait for several things',
        {
          retryAfterMs: 1000,
        },
      );
    return wait;
  }

  #takeWait(rates: RateLimit, limits: Policy['limits']): (() => void) | null {
    const own = this.#waits < MAX_WAITS ? rates.beginWait(limits) : null;
    if (!own) return null;
    this.#waits += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#waits -= 1;
      isOver = true;
      own();
    };
  }

  #notAllowed({ tool, scope }: Passage, caller: McpCaller): ToolFault {
    const { name, programs = [] } = caller;
    const client = policyClient(caller);
    const held = scopesOf(this.policy, client).join(', ') || 'none';
    const why = scope === 'raw' ? ' (raw output shows every secret that was printed)' : '';
    const expected = expectedProgram(this.policy, client);
    const other = expected === null ? '' : `, because its rule is for the program ${expected}`;
    const program = programs.at(-1);
    const rule = { scopes: scopesWith(this.policy, client, scope), ...(program !== undefined && { program }) };
    return new ToolFault(
      'NOT_ALLOWED_SCOPE',
      `${tool} needs the scope "${scope}"${why}; "${name}" has ${held}${other}`,
      `the person can allow it in ${this.#file.path}: "clients": {"${name}": ${spaced(rule)}}`,
    );
  }
}

function spaced(rule: object): string {
  const words = Object.entries(rule).map(([key, value]) => `"${key}": ${JSON.stringify(value).replaceAll(',', ', ')}`);
  return `{${words.join(', ')}}`;
}

function check(answer: RateAnswer, what: string): void {
  if (answer.ok) return;
  throw new ToolFault(
    'RATE_LIMITED',
    `too many ${what} in this minute`,
    'wait, then ask for less: summaries before slices',
    {
      retryAfterMs: answer.retryAfterMs,
    },
  );
}

function place({ line, column }: { line: number | null; column: number | null }): string {
  return line === null ? '' : `:${line}:${column ?? 1}`;
}

/** Resolves links, so that a folder has only one name; a folder that is gone keeps the given path. */
function real(path: string | null): string | null {
  if (path === null) return null;
  try {
    return realpathSync(path);
  } catch {
    return path; // said above
  }
}
