import { basename } from 'node:path';
import type { AuditBreak, AuditState, AuditVerdict } from '../../contract/mcp/audit.ts';
import { readLines } from '../files/readJsonLines.ts';
import { AuditChain, type ChainFault, entriesWords, FIRST_PREV } from './auditChain.ts';
import { type AuditFile, onAuditFiles } from './auditFiles.ts';
import { type AuditHead, type AuditHeadRead, auditHeadPath, readAuditHead } from './auditHead.ts';

const MAX_BREAKS = 100;
/** Most names in a list that a person chooses from. */
const MAX_NAMES = 500;
/** Another process may have written an entry and not yet its head. */
const MAY_BE_AHEAD = 1;

/**
 * Checks every line of every file, and that the head names the newest entry. Writes nothing; a core may write meanwhile.
 * Two traces of a kill are no fault: a partial line at the very end, and one entry that the head does not have yet.
 */
export async function verifyAudit(path: string): Promise<AuditVerdict> {
  return (await checkAudit(path)).verdict;
}

/** Like `verifyAudit`, with the names in the entries. */
export function checkAudit(path: string): Promise<Omit<AuditState, 'checkedMs'>> {
  return onAuditFiles(path, async (files) => {
    const before = await readAuditHead(path);
    const check = new Check(path, before);
    for (const file of files) await check.read(file);
    check.end(await readAuditHead(path));
    return check.result(files.length);
  });
}

class Check {
  readonly #headName: string;
  readonly #head: AuditHead | null;
  readonly #chain: AuditChain;
  readonly #breaks: AuditBreak[] = [];
  #breakCount = 0;
  #entries = 0;
  readonly #clients = new Set<string>();
  readonly #terminals = new Set<string>();

  constructor(path: string, head: AuditHeadRead) {
    this.#headName = basename(auditHeadPath(path));
    this.#head = typeof head === 'string' ? null : head;
    // Files that retention was about to remove may still exist.
    this.#chain = new AuditChain(this.#head && this.#head.first.n > 1 ? null : { n: 1, prev: FIRST_PREV });
  }

  async read({ path, name, lastN }: AuditFile): Promise<void> {
    let at = 0;
    for await (const { line, isTorn } of readLines(path)) {
      at += 1;
      if (lastN === null && isTorn) break; // cut off by a kill during a write; the head would have a complete entry
      this.#entries += 1;
      const { entry, fault } = this.#chain.read(isTorn ? null : line);
      if (fault) this.#tell({ ...fault, file: name, line: at });
      if (!entry) continue;
      if (!fault) this.#againstHead({ n: entry.n, prev: entry.prev, sha256: entry.sha256 }, { file: name, line: at });
      if (this.#clients.size < MAX_NAMES) this.#clients.add(entry.client);
      if (entry.pty !== null && this.#terminals.size < MAX_NAMES) this.#terminals.add(entry.pty);
    }
    if (lastN !== null && this.#chain.last?.n !== lastN)
      this.#tell({ kind: 'missing', n: null, reason: `it does not end with entry ${lastN}`, file: name, line: null });
  }

  /** The first and the last kept entry must be the ones that the head names. */
  #againstHead(entry: { n: number; prev: string; sha256: string }, where: Pick<AuditBreak, 'file' | 'line'>): void {
    const { first, last } = this.#head ?? {};
    const isFirst = this.#entries === 1;
    if (first && isFirst && entry.n > first.n)
      this.#tell({
        kind: 'missing',
        n: first.n,
        reason: `${entriesWords(first.n, entry.n - 1)} missing before it`,
        ...where,
      });
    if (first?.n === entry.n && first.prev !== entry.prev)
      this.#tell({ kind: 'order', n: entry.n, reason: 'it does not follow on what was removed, being old', ...where });
    if (last?.n === entry.n && last.sha256 !== entry.sha256)
      this.#tell({ kind: 'order', n: entry.n, reason: `it is another entry than ${this.#headName} knows`, ...where });
  }

  /** `now`: the head after all files were read. */
  end(now: AuditHeadRead): void {
    const lastN = this.#chain.last?.n ?? 0;
    if (typeof now === 'string') {
      if (this.#entries === 0 && now === 'missing' && !this.#head) return; // no client has done anything yet
      const what = now === 'missing' ? 'is not there' : 'is not readable';
      this.#atEnd('head', null, `${this.#headName} ${what}: whether entries are missing at the end cannot be told`);
      return;
    }
    const { last, first, synced } = this.#head ?? now; // a core may have started meanwhile
    const from = Math.max(lastN + 1, first.n);
    if (from <= last.n) {
      const count = last.n - from + 1;
      const why = from > synced ? ' (they were not yet known to be on the disk: a power cut may have taken them)' : '';
      this.#atEnd('missing-end', from, `${count} ${count === 1 ? 'entry is' : 'entries are'} missing at the end${why}`);
    }
    const ahead = lastN - now.last.n;
    if (ahead > MAY_BE_AHEAD)
      this.#atEnd(
        'added-end',
        now.last.n + 1,
        `${ahead} entries stand behind the last one that ${this.#headName} knows`,
      );
  }

  result(files: number): Omit<AuditState, 'checkedMs'> {
    const verdict: AuditVerdict = {
      ok: this.#breakCount === 0,
      entries: this.#entries,
      files,
      first: this.#chain.firstN ?? 0,
      last: this.#chain.last?.n ?? 0,
      breaks: this.#breaks,
      breakCount: this.#breakCount,
      trustedTo: this.#head?.trusted ?? 0,
    };
    return { verdict, clients: [...this.#clients], terminals: [...this.#terminals] };
  }

  #atEnd(kind: AuditBreak['kind'], n: number | null, reason: string): void {
    this.#tell({ kind, n, reason, file: this.#headName, line: null });
  }

  #tell(fault: ChainFault & Pick<AuditBreak, 'file' | 'line'>): void {
    this.#breakCount += 1;
    if (this.#breaks.length < MAX_BREAKS) this.#breaks.push(fault);
  }
}
