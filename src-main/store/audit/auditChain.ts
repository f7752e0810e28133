import { createHash } from 'node:crypto';
import type { AuditBreak } from '../../contract/mcp/audit.ts';
import { AuditLine } from '../../contract/mcp/audit.ts';
import { isBlank, parseLine } from '../files/readJsonLines.ts';

/** `prev` of the very first entry. */
export const FIRST_PREV = '0'.repeat(64);
const BEFORE_HASH = ',"sha256":"';

/** The part of an entry to which the next one is chained. */
export interface AuditLink {
  readonly n: number;
  readonly sha256: string;
}

export type ChainFault = Pick<AuditBreak, 'kind' | 'reason'> & { n: number | null };

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** JSON with the keys of every object in order, so that equal arguments have equal digests. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      part !== null && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? 'null'
  );
}

/**
 * Formats an entry as a line, without LF. The hash is the last key and covers `prev` and the line's bytes before it, so a file can be checked
 * without serializing its entries again.
 */
export function chainedLine(told: Omit<AuditLine, 'sha256'>): AuditLine {
  return { ...told, sha256: sha256(told.prev + JSON.stringify(told).slice(0, -1)) };
}

/**
 * Reads lines in order and returns what is wrong with each. After a fault it continues from the faulty line, so that it reports each fault once.
 */
export class AuditChain {
  #next: number | null;
  /** Null after a line that cannot be trusted: the next line may have any `prev`. */
  #prev: string | null;
  /** The newest entry read, even if its line has a fault. */
  last: AuditLink | null = null;
  /** Number of the oldest entry read. */
  firstN: number | null = null;

  /** `start`: number and `prev` of the first line; null if any line may be the first. */
  constructor(start: { n: number; prev: string } | null) {
    this.#next = start?.n ?? null;
    this.#prev = start?.prev ?? null;
  }

  /** Returns the entry on the line, if any, and what is wrong with it. `line` is null if it is far too long. */
  read(line: Buffer | null): { entry: AuditLine | undefined; fault: ChainFault | null } {
    const entry = line === null ? undefined : parseLine(line, (json) => AuditLine.parse(json));
    if (line === null || !entry) {
      const n = this.#next;
      this.#next = n === null ? null : n + 1;
      this.#prev = null;
      const reason =
        line === null || isBlank(line) ? 'the line is empty or far too long' : 'it is no entry of an audit';
      return { entry: undefined, fault: { kind: 'unreadable', n, reason } };
    }
    const fault = this.#judge(line, entry);
    this.firstN ??= entry.n;
    this.last = entry;
    const isChanged = fault?.kind === 'changed';
    this.#next = ((isChanged && this.#next) || entry.n) + 1;
    this.#prev = isChanged ? null : entry.sha256;
    return { entry, fault };
  }

  #judge(line: Buffer, { n, prev, sha256: said }: AuditLine): ChainFault | null {
    const text = line.toString('utf8');
    const end = text.lastIndexOf(BEFORE_HASH);
    const isOwn = sha256(prev + text.slice(0, end)) === said && text.slice(end) === `${BEFORE_HASH}${said}"}`;
    if (!isOwn) return { kind: 'changed', n, reason: 'it was changed' };
    const next = this.#next ?? n;
    if (n > next) return { kind: 'missing', n: next, reason: `${entriesWords(next, n - 1)} missing before it` };
    if (n < next)
      return { kind: 'order', n, reason: `it has the number ${n} where ${next} belongs: put in, or put elsewhere` };
    if (this.#prev !== null && prev !== this.#prev)
      return { kind: 'order', n, reason: 'it does not follow on the entry before' };
    return null;
  }
}

/** `entry 7 is`, `entries 7 to 9 are`. */
export function entriesWords(from: number, to: number): string {
  return from === to ? `entry ${from} is` : `entries ${from} to ${to} are`;
}
