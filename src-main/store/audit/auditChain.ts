import { createHash } from 'node:crypto';
import type { AuditBreak } from '../../contract/mcp/audit.ts';
import { AuditLine } from '../../contract/mcp/audit.ts';
import { isBlank, parseLine } from '../files/readJsonLines.ts';

/** What stands before the first entry of all. */
export const FIRST_PREV = '0'.repeat(64);
const BEFORE_HASH = ',"sha256":"';

/** An entry as it is known by those that follow it. */
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
 * An entry as a line, without LF: its hash is the last key, and is over `prev` and the line's own bytes up to it, so that a file is checked
 * without being written again.
 */
export function chainedLine(told: Omit<AuditLine, 'sha256'>): AuditLine {
  return { ...told, sha256: sha256(told.prev + JSON.stringify(told).slice(0, -1)) };
}

/**
 * Reads lines in their order, and says of each what is wrong with it. After a fault it goes on from the line that was faulty, so that one
 * fault is told once.
 */
export class AuditChain {
  #next: number | null;
  /** null: whatever the next line says, after a line that cannot be trusted. */
  #prev: string | null;
  /** The newest entry that was read, however faulty its line. */
  last: AuditLink | null = null;
  /** The oldest. */
  firstN: number | null = null;

  /** `start`: the number and the `prev` of the first line; null where any line may be the first. */
  constructor(start: { n: number; prev: string } | null) {
    this.#next = start?.n ?? null;
    this.#prev = start?.prev ?? null;
  }

  /** The entry on the line, where there is one, and what is wrong. `line` is null for one that is far too long. */
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
