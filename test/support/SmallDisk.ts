import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own with room for `sizeBytes`, at `path`. */
export class SmallDisk {
  readonly path = mkdtempSync(join(tmpdir(), 'hansard-small-disk-'));
  /** False where the machine does not let us mount: the tests say skipped. */
  readonly isMounted: boolean;
  readonly filler = join(this.path, 'filler');

  constructor(sizeBytes: number) {
    this.isMounted = mount(this.path, sizeBytes);
  }

  /** Takes the last byte of room. */
  fill(): void {
    for (let bytes = 1 << 20; bytes >= 1; bytes = Math.floor(bytes / 2)) {
      try {
        for (;;) writeFileSync(this.filler, Buffer.alloc(bytes), { flag: 'a' });
      } catch {
        // no room for a piece of this size
      }
    }
  }

  /** Makes room again. */
  free(): void {
    rmSync(this.filler, { force: true });
  }

  dispose(): void {
    if (this.isMounted) execFileSync('umount', [this.path]);
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
