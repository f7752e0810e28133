import { createHash } from 'node:crypto';
import { AuditLine } from '../contract/audit.ts';
import { JsonLines, type JsonLinesOptions } from './JsonLines.ts';
import { readLinesBackward } from './readBackward.ts';
import { isBlank, parseLine, readLines } from './readJsonLines.ts';
import { cutTornTail } from './tornTail.ts';

/** What stands before the first line. */
const FIRST_PREV = '0'.repeat(64);
/** A command is told to this length; its digest is over all of it. */
const MAX_WHAT_CHARS = 2_000;

export interface AuditEntry {
  readonly client: string;
  readonly callerPty: string | null;
  readonly pty: string | null;
  readonly tool: string;
  readonly what: string;
  /** Only their digest is kept. */
  readonly args: unknown;
  readonly decision: AuditLine['decision'];
  readonly rule: string | null;
  readonly bytes: number;
}

export interface AuditOptions extends JsonLinesOptions {
  /** Makes text safe to keep and to show: secrets out, nothing that a terminal obeys. */
  clean(text: string): string;
}

export type AuditVerdict = { ok: true; lines: number } | { ok: false; line: number; reason: string };

/**
 * audit.jsonl: what outside clients did and were refused, one `AuditLine` a line, each chained to the one before by `prev` and `sha256`. `sha256`
 * is the last key, and is over `prev` and the line's own bytes up to it, so that the file is checked without being written again.
 */
export class AuditLog {
  readonly path: string;
  readonly #options: AuditOptions;
  readonly #lines: JsonLines<AuditLine>;
  #n: number;
  #prev: string;

  private constructor(path: string, options: AuditOptions, last: AuditLine | null) {
    this.path = path;
    this.#options = options;
    this.#lines = JsonLines.open<AuditLine>(path, options);
    this.#n = last?.n ?? 0;
    this.#prev = last?.sha256 ?? FIRST_PREV;
  }

  /** `torn`: bytes of a line that a kill had cut off; they were moved aside. A last line that is no audit line leaves the chain broken there. */
  static async open(path: string, options: AuditOptions): Promise<{ log: AuditLog; torn: number }> {
    const torn = await cutTornTail(path, options.clock.nowMs());
    const last = await lastLine(path);
    return { log: new AuditLog(path, options, last), torn: torn?.bytes ?? 0 };
  }

  /** In the file when it returns, on disk within a second; resolves to false when the disk would not take it. */
  write(entry: AuditEntry): Promise<boolean> {
    const { client, pty, tool, decision, rule, bytes } = entry;
    const told: Omit<AuditLine, 'sha256'> = {
      n: this.#n + 1,
      ts: this.#options.clock.nowMs(),
      client,
      caller_pty: entry.callerPty,
      pty,
      tool,
      what: this.#options.clean(entry.what).slice(0, MAX_WHAT_CHARS),
      args_digest: sha256(canonicalJson(entry.args)),
      decision,
      rule,
      bytes,
      prev: this.#prev,
    };
    const line: AuditLine = { ...told, sha256: sha256(this.#prev + bodyOf(JSON.stringify(told))) };
    this.#n = line.n;
    this.#prev = line.sha256;
    const written = this.#lines.append(line);
    void this.#lines.sync();
    return written;
  }

  /** The newest `limit` lines before `beforeN`, in their order. */
  async page({ beforeN = Number.MAX_SAFE_INTEGER, limit }: { beforeN?: number; limit: number }): Promise<AuditLine[]> {
    return readAudit(this.path, { beforeN, limit });
  }

  async close(): Promise<void> {
    await this.#lines.sync();
    await this.#lines.close();
  }
}

/** Also without a core. Lines that are none are passed over; `verifyAudit` names them. */
export async function readAudit(
  path: string,
  { beforeN = Number.MAX_SAFE_INTEGER, limit }: { beforeN?: number; limit: number },
): Promise<AuditLine[]> {
  const found: AuditLine[] = [];
  for await (const { line } of readLinesBackward(path)) {
    if (found.length >= limit) break;
    const read = line === null ? undefined : parseLine(line, (json) => AuditLine.parse(json));
    if (read && read.n < beforeN) found.push(read);
  }
  return found.reverse();
}

/** Checks the whole chain. `line` counts from 1. What was taken off at the end does not show. */
export async function verifyAudit(path: string): Promise<AuditVerdict> {
  let prev = FIRST_PREV;
  let count = 0;
  for await (const { line, isTorn } of readLines(path)) {
    count += 1;
    const reason = isTorn ? 'the line is not whole' : judge(line, prev, count);
    if (reason !== null) return { ok: false, line: count, reason };
    prev = /"sha256":"([0-9a-f]{64})"\}$/.exec(line?.toString('latin1') ?? '')?.[1] ?? '';
  }
  return { ok: true, lines: count };
}

function judge(line: Buffer | null, prev: string, n: number): string | null {
  if (line === null || isBlank(line)) return 'the line is empty or far too long';
  const read = parseLine(line, (json) => AuditLine.parse(json));
  if (!read) return 'it is no line of an audit';
  if (read.n !== n) return `it has the number ${read.n}: a line was taken out or put in`;
  if (read.prev !== prev) return 'it does not follow on the line before';
  const text = line.toString('utf8');
  const end = text.lastIndexOf(',"sha256":"');
  if (sha256(prev + text.slice(0, end)) !== read.sha256) return 'it was changed';
  return null;
}

async function lastLine(path: string): Promise<AuditLine | null> {
  for await (const { line } of readLinesBackward(path))
    return (line && parseLine(line, (json) => AuditLine.parse(json))) ?? null;
  return null;
}

/** A line's JSON without its closing bracket: what stands before `,"sha256"`. */
function bodyOf(json: string): string {
  return json.slice(0, -1);
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

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
