import type { AuditDecision, AuditLine } from '../../contract/mcp/audit.ts';
import type { FaultCode, McpCaller } from '../../contract/mcp/mcp.ts';
import type { AuditCounts } from '../../store/audit/auditCounts.ts';
import type { AuditEntry } from '../../store/audit/auditLog.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { decisionOf } from '../protocol/execFaults.ts';
import { untrustedText } from '../protocol/untrustedText.ts';

/** The periods that the entries after the first one cover; the last period repeats. */
const STEPS = [
  { ms: 60_000, words: 'a minute' },
  { ms: 600_000, words: '10 minutes' },
  { ms: 3_600_000, words: 'an hour' },
] as const;
/** Number of different things that an entry with a count names, and their maximum length. */
const MAX_NAMED = 20;
const MAX_NAMED_CHARS = 80;
/** Longer than what an entry shows; a message may have ten million characters, and a kind is kept for an hour. */
const MAX_WHAT_CHARS = 4_096;
const BEFORE_A_KILL = 'before Hansard was killed';

/** An audit entry without arguments; its other fields hold the same information. */
export type CountedEntry = AuditCounts['entries'][number];

/** How a call ended: answered, cancelled by its client, failed by a bug of ours, or refused. */
export type CallEnd = 'answered' | 'cancelled' | 'failed' | FaultCode;

/** A call for the audit log. */
export interface CountedCall {
  readonly caller: Pick<McpCaller, 'name' | 'terminalId' | 'account'>;
  readonly terminalId: string | null;
  readonly tool: string;
  /** What the call was about, in words; may contain text from outside. */
  readonly what: string;
  readonly end: CallEnd;
  /** Size of the answer to the client. */
  readonly bytes: number;
}

export interface CountedCallsDeps {
  readonly clock: Clock;
  /**
   * The limit of kinds for one account. A client may change its name with each request, so calls beyond the limit are counted together and do not use
   * up the limit of other accounts.
   */
  readonly maxKinds: number;
  /** Whether the calls are reads; entries of reads contain the number of calls they cover. */
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
  /** The first call of the kind; beyond the limit of kinds, a placeholder for it. */
  readonly call: CountedCall;
  more: number;
  bytes: number;
  /** What the counted calls were about, and how often; `said` is the redacted text for the audit log, computed on demand. */
  named: Map<string, { count: number; said: string | null }>;
  hasOthers: boolean;
  step: number;
  timer: IDisposable;
}

/**
 * Aggregates calls that may come by the thousand, for the audit log. The first call of a kind (client, caller's terminal, tool, terminal, end) gets
 * an entry at once; later ones share an entry with their count and subjects: after a minute, then after ten, then each hour. So a flood can neither
 * fill the disk nor push earlier entries out of the audit log.
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
    if (this.#isDisposed) return this.#tell(call, 1); // no timer would write its count
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

  /** The counts not yet written, as the entries that the next start writes if this core is killed. */
  waiting(): CountedEntry[] {
    return [...this.#kinds.values()]
      .filter(({ more }) => more > 0)
      .map((kind) => this.#entryOf({ ...kind.call, bytes: kind.bytes, what: countIn(kind, BEFORE_A_KILL) }, kind.more));
  }

  /** Writes the pending counts early, because a reader wants the current state. */
  tellNow(): void {
    for (const kind of this.#kinds.values()) this.#tellCount(kind);
  }

  /** Writes the pending counts. */
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
      this.#kinds.delete(name); // no call for an hour: the next one counts as the first
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

/** Whether the line is a count of the same kind of calls. */
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
  const kept = what.slice(0, MAX_WHAT_CHARS).replace(/\S+$/, ''); // do not cut within a word: a secret may be recognized only as a whole
  return `${Buffer.from(kept).toString()}… (${what.length} characters)`; // a copy, because a slice keeps the whole string in memory
}

/** Redacts before it cuts, because half of a secret is not recognized. */
function shortened(what: string): string {
  const safe = untrustedText(what).text;
  return safe.length > MAX_NAMED_CHARS ? `${safe.slice(0, MAX_NAMED_CHARS - 1)}…` : safe;
}

function decisionOfEnd(end: CallEnd): AuditDecision {
  if (end === 'answered') return 'allowed';
  if (end === 'cancelled') return 'cancelled';
  return end === 'failed' ? 'refused' : decisionOf(end);
}
