import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Disk } from '../../src-main/store/files/Disk.ts';

type Change =
  | { type: 'create'; path: string }
  | { type: 'write'; path: string; at: number; bytes: Buffer }
  | { type: 'truncate'; path: string; size: number };

type Step = Change | { type: 'synced'; path: string; upTo: number };

/**
 * Files in memory behind the system calls of the record. The disk keeps all changes in order, so that the power can be cut after any
 * call. Synced bytes survive; of later writes to a file, any first part survives, and a write can be cut in the middle. Files are
 * independent: a later write to one file may survive when an earlier write to another does not. An fdatasync of a new file also keeps
 * its name, as on ext4, XFS, btrfs and APFS. The content of a real file at its opening counts as synced.
 */
export class PowerCutDisk implements Disk {
  readonly #steps: Step[] = [];
  readonly #content = new Map<string, Buffer>();
  readonly #paths = new Map<number, string>();
  #nextFd = 100;
  readonly #root: string;

  /** `root` is the folder of the files; `cut` writes them below another folder. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Number of calls so far; the power can be cut after any of them. */
  get at(): number {
    return this.#steps.length;
  }

  get paths(): string[] {
    return [...this.#content.keys()];
  }

  /** Files with changes that a power cut could lose. */
  get unsynced(): string[] {
    return this.paths.filter((path) => this.#unsyncedChanges(path, this.at).length > 0);
  }

  open(path: string): number {
    if (!this.#content.has(path)) this.#create(path);
    this.#nextFd += 1;
    this.#paths.set(this.#nextFd, path);
    return this.#nextFd;
  }

  write(fd: number, bytes: Uint8Array, position: number): number {
    this.#apply({ type: 'write', path: this.#path(fd), at: position, bytes: Buffer.from(bytes) });
    return bytes.length;
  }

  read(fd: number, into: Uint8Array, position: number): number {
    return this.#read(fd).copy(into, 0, position);
  }

  truncate(fd: number, size: number): void {
    this.#apply({ type: 'truncate', path: this.#path(fd), size });
  }

  stat(fd: number): { size: number; links: number } {
    return { size: this.#read(fd).length, links: 1 };
  }

  async sync(fd: number): Promise<void> {
    const path = this.#path(fd);
    const upTo = this.at; // writes during the sync may be left out
    await new Promise((resolve) => setImmediate(resolve)); // the sync lasts for at least one turn
    this.#steps.push({ type: 'synced', path, upTo });
  }

  close(fd: number): void {
    this.#paths.delete(fd);
  }

  async remove(path: string): Promise<void> {
    this.#content.delete(path);
  }

  /** A file's synced content after `at` calls. */
  syncedContent(path: string, at: number): Buffer | null {
    const upTo = this.#syncedUpTo(path, at);
    return contentOf(this.#changes(path).filter(({ index }) => index < upTo));
  }

  /** A file's whole content after `at` calls. */
  contentAt(path: string, at: number): Buffer | null {
    return contentOf(this.#changes(path).filter(({ index }) => index < at));
  }

  /** Writes the files as after a power cut at `at` calls below `target`. `share` (0 to 1) is the part of unsynced bytes that survives. */
  cut(at: number, { target, share }: { target: string; share: (path: string) => number }): void {
    for (const path of this.paths) {
      const upTo = this.#syncedUpTo(path, at);
      const safe = this.#changes(path).filter(({ index }) => index < upTo);
      const content = contentOf([...safe, ...firstPart(this.#unsyncedChanges(path, at), share(path))]);
      if (content === null) continue;
      const real = join(target, relative(this.#root, path));
      mkdirSync(dirname(real), { recursive: true, mode: 0o700 });
      writeFileSync(real, content, { mode: 0o600 });
    }
  }

  #changes(path: string): { change: Change; index: number }[] {
    return this.#steps.flatMap((change, index) =>
      change.type !== 'synced' && change.path === path ? [{ change, index }] : [],
    );
  }

  #unsyncedChanges(path: string, at: number): { change: Change; index: number }[] {
    const upTo = this.#syncedUpTo(path, at);
    return this.#changes(path).filter(({ change, index }) => index >= upTo && index < at && change.type !== 'create');
  }

  #syncedUpTo(path: string, at: number): number {
    return Math.max(
      0,
      ...this.#steps.slice(0, at).flatMap((step) => (step.type === 'synced' && step.path === path ? [step.upTo] : [])),
    );
  }

  #create(path: string): void {
    this.#apply({ type: 'create', path });
    if (!existsSync(path)) return;
    this.#apply({ type: 'write', path, at: 0, bytes: readFileSync(path) });
    this.#steps.push({ type: 'synced', path, upTo: this.at });
  }

  #apply(change: Change): void {
    this.#steps.push(change);
    this.#content.set(change.path, applied(this.#content.get(change.path) ?? Buffer.alloc(0), change));
  }

  #path(fd: number): string {
    const path = this.#paths.get(fd);
    if (path === undefined) throw new Error(`descriptor ${fd} is not open`);
    return path;
  }

  #read(fd: number): Buffer {
    return this.#content.get(this.#path(fd)) ?? Buffer.alloc(0);
  }
}

/** The changes up to the first `share` of their bytes; a change without bytes counts as one byte. */
function firstPart<T extends { change: Change }>(changes: readonly T[], share: number): { change: Change }[] {
  const weightOf = ({ change }: { change: Change }): number => (change.type === 'write' ? change.bytes.length : 1);
  let left = Math.round(share * changes.reduce((sum, item) => sum + weightOf(item), 0));
  const kept: { change: Change }[] = [];
  for (const item of changes) {
    const { change } = item;
    const weight = weightOf(item);
    if (left >= weight) kept.push({ change });
    else if (left > 0 && change.type === 'write')
      kept.push({ change: { ...change, bytes: change.bytes.subarray(0, left) } });
    left -= weight;
    if (left <= 0) break;
  }
  return kept;
}

function contentOf(changes: readonly { change: Change }[]): Buffer | null {
  return changes.reduce<Buffer | null>((content, { change }) => applied(content ?? Buffer.alloc(0), change), null);
}

function applied(content: Buffer, change: Change): Buffer {
  switch (change.type) {
    case 'create':
      return content;
    case 'truncate':
      return Buffer.concat([content.subarray(0, change.size), Buffer.alloc(Math.max(0, change.size - content.length))]);
    case 'write': {
      const size = Math.max(content.length, change.at + change.bytes.length);
      const next = Buffer.concat([content, Buffer.alloc(size - content.length)]);
      next.set(change.bytes, change.at);
      return next;
    }
  }
}
