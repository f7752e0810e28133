import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { PastImportReport } from '../../../src-main/contract/past.ts';
import { importPast } from '../../../src-main/past/importPast.ts';
import { PastFile } from '../../../src-main/store/past/PastFile.ts';

/** A home folder with agents' logs, and a data folder for the import. */
export class PastHome implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), 'past-'));
  readonly home = this.#root;
  readonly dataFolder = this.#root;

  /** Imports once. */
  import(only?: readonly string[]): PastImportReport {
    return this.open((file) => this.#importInto(file, only));
  }

  open<T>(use: (file: PastFile) => T): T {
    const file = PastFile.open(this.dataFolder);
    try {
      return use(file);
    } finally {
      file.close();
    }
  }

  counts(): { conversations: number; messages: number; usage: number } {
    const count = (table: string) =>
      this.open((file) => file.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)?.count ?? 0);
    return { conversations: count('conversations'), messages: count('messages'), usage: count('usage') };
  }

  /** All messages in order, as `agent session kind text`. */
  said(): string[] {
    return this.open((file) =>
      file
        .all<{ line: string }>(
          `SELECT c.agent || ' ' || c.session || ' ' || m.kind || ' ' || m.text || coalesce(m.tool, '') AS line
           FROM messages m JOIN conversations c ON c.num = m.conversation ORDER BY c.agent, c.session, m.at_ms, m.num`,
        )
        .map(({ line }) => line),
    );
  }

  #importInto(file: PastFile, only?: readonly string[]): PastImportReport {
    const count = (): number => file.get<{ count: number }>('SELECT count(*) AS count FROM conversations')?.count ?? 0;
    const before = count();
    let last: PastImportReport | null = null;
    for (const report of importPast(file, { home: this.home, env: {}, keepsText: true, only })) last = report;
    if (!last) throw new Error('an import always reports');
    expect(last.conversations).toBe(count() - before); // the import counts without reading the table
    return last;
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
