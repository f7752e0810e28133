import type { AuditDecision, AuditLine } from '../../contract/mcp/audit.ts';
import type { FaultCode, McpCaller } from '../../contract/mcp/mcp.ts';
import type { AuditCounts } from '../../store/audit/auditCounts.ts';
import type { AuditEntry } from '../../store/audit/auditLog.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { decisionOf } from '../protocol/execFaults.ts';
import { untrustedText } from '../protocol/untrustedText.ts';

/** How long each line after the first stands for; the last for each one after it. */
const STEPS = [
  { ms: 60_000, words: 'a minute' },
  { ms: 600_000, words: '10 minutes' },
  { ms: 3_600_000, words: 'an hour' },
] as const;
/** Different things that a line with a count names, each in so many characters. */
const MAX_NAMED = 20;
const MAX_NAMED_CHARS = 80;
/** More than an entry tells; a message may have ten million, and a kind is kept for an hour. */
const MAX_WHAT_CHARS = 4_096;
const BEFORE_A_KILL = 'before Hansard was killed';

/** An entry without the arguments, which are what it says. */
export type CountedEntry = AuditCounts['entries'][number];

/** How a call ended: answered, taken back by its client, by a defect of ours, or refused. */
export type CallEnd = 'answered' | 'cancelled' | 'failed' | FaultCode;

/** A call for the audit. */
export interface CountedCall {
  readonly caller: Pick<McpCaller, 'name' | 'terminalId' | 'account'>;
  readonly terminalId: string | null;
  readonly tool: string;
  /** What it was about, in words; it may hold text from outside. */
  readonly what: string;
  readonly end: CallEnd;
  /** What the client was given. */
  readonly bytes: number;
}

export interface CountedCallsDeps {
  readonly clock: Clock;
  /**
   * The limit for one account. A client may change its name with each request, so calls beyond the limit are counted together
   * and do not use up the limit of other accounts.
   */
  readonly maxKinds: number;
  /** They only looked: their entries say how many each stands for. */
  readonly areReads: boolean;
  audit(entry: AuditEntry): void;
}

const OF_SEVERAL = {
  caller: { name: 'several', terminalId: null, account: '' },
  terminalId: null,
  tool: 'several',
  what: '',
  bytes: 0,
};

interface Kind {
  /** The first; for kinds that were too many what stands in place of it. */
  readonly call: CountedCall;
  more: number;
  bytes: number;
  /** What the calls that are counted were about, and how often; `said` is that in words that may stand in the audit, once it was needed. */
  named: Map<string, { count: number; said: string | null }>;
  hasOthers: boolean;
  step: number;
  timer: IDisposable;
}

/**
 * Calls that may come by the thousand, for the audit. The first of a kind (client, caller's terminal, tool, terminal, end) is a line at once; those
 * that follow are told together, with their count and what they were about: after a minute, then after ten, then each hour. A flood cannot fill
 * the disk, nor push out of the audit what was done before.
 */
export class AuditAggregator implements IDisposable {
  readonly #deps: CountedCallsDeps;
  readonly #kinds = new Map<string, Kind>();
  #isDisposed = false;

  constructor(deps: CountedCallsDeps) {
    this.#deps = deps;
  }

  take({ what: whole, ...rest }: CountedCall): void {
    const call = { ...rest, what: bounded(whole) };
    if (this.#isDisposed) return this.#tell(call, 1); // nobody would tell its count
    const { caller, tool, terminalId, end, bytes } = call;
    const own = JSON.stringify([caller.name, caller.terminalId, tool, terminalId, end]);
    const isOwn = this.#kinds.has(own) || this.#countOf(caller.account) < this.#deps.maxKinds;
    const name = isOwn ? own : end;
    const kind = this.#kinds.get(name);
    if (!kind) {
      this.#begin(name, isOwn ? call : { ...OF_SEVERAL, end });
      this.#tell(call, 1);
      return;
    }
    kind.more += 1;
    kind.bytes += bytes;
    const what = isOwn ? call.what : `${tool} by ${caller.name}`;
    const before = kind.named.get(what);
    if (before) before.count += 1;
    else if (kind.named.size >= MAX_NAMED) kind.hasOthers = true;
    else kind.named.set(what, { count: 1, said: null });
  }

  /** What is only counted, in the entries that a start after a kill would tell it with. */
  waiting(): CountedEntry[] {
    return [...this.#kinds.values()]
      .filter(({ more }) => more > 0)
      .map((kind) => this.#entryOf({ ...kind.call, bytes: kind.bytes, what: countIn(kind, BEFORE_A_KILL) }, kind.more));
  }

  /** What was only counted is told, before its time: somebody wants to see how things stand. */
  tellNow(): void {
    for (const kind of this.#kinds.values()) this.#tellCount(kind);
  }

  /** What was only counted is told. */
  dispose(): void {
    this.#isDisposed = true;
    this.tellNow();
    for (const { timer } of this.#kinds.values()) timer.dispose();
    this.#kinds.clear();
  }

  #countOf(account: string): number {
    return [...this.#kinds.values()].filter(({ call }) => call.caller.account === account).length;
  }

  #begin(name: string, call: CountedCall): void {
    const timer = this.#deps.clock.after(STEPS[0].ms, () => this.#due(name));
    this.#kinds.set(name, { call, more: 0, bytes: 0, named: new Map(), hasOthers: false, step: 0, timer });
  }

  #due(name: string): void {
    const kind = this.#kinds.get(name);
    if (!kind) return;
    const isLast = kind.step === STEPS.length - 1;
    if (isLast && kind.more === 0) {
      this.#kinds.delete(name); // none for an hour: the next one is a first one
      return;
    }
    this.#tellCount(kind);
    if (!isLast) kind.step += 1;
    kind.timer = this.#deps.clock.after(stepOf(kind).ms, () => this.#due(name));
  }

  #tellCount(kind: Kind): void {
    const { call, more, bytes } = kind;
    if (more === 0) return;
    this.#tell({ ...call, what: countIn(kind, `within ${stepOf(kind).words}`), bytes }, more);
    Object.assign(kind, { more: 0, bytes: 0, named: new Map(), hasOthers: false });
  }

  #tell(call: CountedCall, count: number): void {
    this.#deps.audit(auditEntry(this.#entryOf(call, count)));
  }

  #entryOf({ caller, terminalId, tool, what, end, bytes }: CountedCall, count: number): CountedEntry {
    return {
      client: caller.name,
      callerPty: caller.terminalId,
      pty: terminalId,
      tool,
      what,
      decision: decisionOfEnd(end),
      rule: end === 'answered' ? 'observe' : end === 'cancelled' ? null : end,
      bytes,
      reads: this.#deps.areReads ? count : null,
    };
  }
}

export function auditEntry(entry: CountedEntry): AuditEntry {
  const { tool, pty, what } = entry;
  return { ...entry, args: { tool, pty_id: pty, what } };
}

/** Whether the line tells a count of the same kind of calls. */
export function isCountOf(line: AuditLine, { client, callerPty, pty, tool, rule, reads }: CountedEntry): boolean {
  const isSame = line.client === client && line.caller_pty === callerPty && line.pty === pty && line.tool === tool;
  return isSame && line.rule === rule && (line.reads === null) === (reads === null) && /^\d+ more /.test(line.what);
}

function countIn({ more, named, hasOthers }: Kind, when: string): string {
  const things = [...named].flatMap(([what, thing]) => {
    if (what === '') return [];
    thing.said ??= shortened(what);
    return thing.count === 1 || thing.count === more ? thing.said : `${thing.said} (${thing.count} times)`;
  });
  if (hasOthers) things.push('others');
  return `${more} more ${when}${things.length === 0 ? '' : `: ${things.join('; ')}`}`;
}

function stepOf({ step }: Kind): (typeof STEPS)[number] {
  return STEPS[step] ?? STEPS[0];
}

function bounded(what: string): string {
  if (what.length <= MAX_WHAT_CHARS) return what;
  const kept = what.slice(0, MAX_WHAT_CHARS).replace(/\S+$/, ''); // not within a word: it may be a secret that is known only whole
  return `${Buffer.from(kept).toString()}… (${what.length} characters)`; // a copy, since a slice keeps all that it is of
}

/** Made safe before it is cut: half of a secret is known by nobody. */
function shortened(what: string): string {
  const safe = untrustedText(what).text;
  return safe.length > MAX_NAMED_CHARS ? `${safe.slice(0, MAX_NAMED_CHARS - 1)}…` : safe;
}

function decisionOfEnd(end: CallEnd): AuditDecision {
  if (end === 'answered') return 'allowed';
  if (end === 'cancelled') return 'cancelled';
  return end === 'failed' ? 'refused' : decisionOf(end);
}
