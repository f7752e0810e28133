import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A tmpfs of `sizeBytes`, mounted at `path`. */
export class SmallDisk {
  readonly path: string;
  /** False if this machine does not allow mounts; the tests skip then. */
  readonly isMounted: boolean;
  readonly filler: string;

  /** `path` is an existing folder, which `dispose` removes. */
  constructor(sizeBytes: number, path = mkdtempSync(join(tmpdir(), 'hansard-small-disk-'))) {
    this.path = path;
    this.filler = join(path, 'filler');
    this.isMounted = mount(this.path, sizeBytes);
  }

  /** Fills the disk to its last byte. */
  fill(): void {
    for (let bytes = 1 << 20; bytes >= 1; bytes = Math.floor(bytes / 2)) {
      try {
        for (;;) writeFileSync(this.filler, Buffer.alloc(bytes), { flag: 'a' });
      } catch {
        // no room for a piece of this size
      }
    }
  }

  /** Removes the filler. */
  free(): void {
    rmSync(this.filler, { force: true });
  }

  dispose(): void {
    // Lazily: a process that was killed on a full disk keeps its files open for a moment longer.
    if (this.isMounted) execFileSync('umount', ['--lazy', this.path]);
    rmSync(this.path, { recursive: true, force: true });
  }
}

function mount(path: string, sizeBytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
