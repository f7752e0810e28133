import { SnapshotLine } from '../contract/changes.ts';
import { JsonLines, type JsonLinesOptions } from '../store/files/JsonLines.ts';
import { readJsonLines } from '../store/files/readJsonLines.ts';
import { detach } from '../util/strayErrors.ts';

/** changes.jsonl in the folder of a terminal: the snapshots of all its conversations. The first line creates the file. */
export class ChangesFile {
  readonly #path: string;
  readonly #options: JsonLinesOptions;
  #lines: readonly SnapshotLine[] = [];
  #file: JsonLines<SnapshotLine> | null = null;
  #isClosed = false;

  private constructor(path: string, options: JsonLinesOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Never rejects. If the file cannot be read, only the new lines are known. */
  static async open(path: string, options: JsonLinesOptions): Promise<ChangesFile> {
    const file = new ChangesFile(path, options);
    file.#lines = await readChangeLines(path).catch((error: unknown) => {
      options.log('changes_unread', { path, reason: error instanceof Error ? error.message : String(error) });
      return [];
    });
    return file;
  }

  /** Returns the latest line of each snapshot, ordered by number. */
  of(conversationId: string): SnapshotLine[] {
    return latestLines(this.#lines, conversationId);
  }

  write(line: SnapshotLine): void {
    if (this.#isClosed) return;
    const others = this.#lines.filter((one) => one.conversationId !== line.conversationId || one.n !== line.n);
    this.#lines = [...others, line];
    this.#file ??= JsonLines.open<SnapshotLine>(this.#path, this.#options);
    detach('ChangesFile', this.#file.append(line));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#file?.close();
  }
}

/** Reads all lines of a changes.jsonl; an empty list if there is no file. Lines that cannot be read are skipped. */
export async function readChangeLines(path: string): Promise<SnapshotLine[]> {
  return (await readJsonLines(path, (json) => SnapshotLine.parse(json))).records;
}

export function latestLines(lines: readonly SnapshotLine[], conversationId: string): SnapshotLine[] {
  const byNumber = new Map<number, SnapshotLine>();
  for (const line of lines) if (line.conversationId === conversationId) byNumber.set(line.n, line);
  return [...byNumber.values()].sort((a, b) => a.n - b.n);
}
