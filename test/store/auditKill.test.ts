import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifyAudit } from '../../src-main/store/audit/verifyAudit.ts';
import { type Disk, nodeDisk } from '../../src-main/store/files/Disk.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { AuditFolder, anEntry } from './auditFolder.ts';

/**
 * The real disk, until the process is killed: in the `calls`-th call that changes something, of which `part` bytes are still done. After that
 * nothing is done at all, as nothing is that a dead process would have done.
 */
class MortalDisk implements Disk {
  isDead = false;
  readonly #part: number;
  #left: number;

  constructor(calls: number, part: number) {
    this.#left = calls;
    this.#part = part;
  }

  open(path: string): number {
    return nodeDisk.open(path); // of a file that is there: changes nothing
  }

  write(fd: number, bytes: Uint8Array, position: number): number {
    this.#left -= 1;
    if (this.isDead || this.#left > 0) return this.isDead ? bytes.length : nodeDisk.write(fd, bytes, position);
    this.isDead = true;
    // A head is in one page, which is written or not; a line may be cut at a page's end.
    const done = position === 0 && bytes.length === 512 ? 0 : Math.min(this.#part, bytes.length);
    if (done > 0) nodeDisk.write(fd, bytes.subarray(0, done), position);
    return bytes.length;
  }

  read(fd: number, into: Uint8Array, position: number): number {
    return nodeDisk.read(fd, into, position);
  }

  truncate(fd: number, size: number): void {
    if (!this.isDead) nodeDisk.truncate(fd, size);
  }

  stat(fd: number): { size: number; links: number } {
    return nodeDisk.stat(fd);
  }

  sync(fd: number): Promise<void> {
    return this.isDead ? Promise.resolve() : nodeDisk.sync(fd);
  }

  close(fd: number): void {
    nodeDisk.close(fd);
  }

  remove(path: string): Promise<void> {
    return this.isDead ? Promise.resolve() : nodeDisk.remove(path);
  }
}

/** So few that old ones are removed in the lives that there are. */
const KEPT_FILES = 3;
/** At the least, in the size that files have here. */
const ENTRIES_IN_FILE = 2;

describe('a kill', () => {
  test('law: between any two calls to the system, or within one, is no false alarm, and nothing that was there is lost', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ calls: fc.integer({ min: 1, max: 24 }), part: fc.nat(500) }), {
          minLength: 1,
          maxLength: 3,
        }),
        async (kills) => {
          const audit = new AuditFolder();
          try {
            let written = 0;
            for (const { calls, part } of kills) {
              const disk = new MortalDisk(calls, part);
              const { log, missing } = await audit.open({ disk, maxFileBytes: 1200, keptFiles: KEPT_FILES });
              expect(missing).toBe(0);
              for (let at = 0; at < 12 && !disk.isDead; at++) {
                await log.write(anEntry({ what: `run ${at}` }));
                if (!disk.isDead) written += 1;
              }
              await log.close();
              const verdict = await verifyAudit(audit.path);
              expect(verdict.breaks).toEqual([]);
              // an entry that was whole and had no head yet is counted when the next life begins
              expect(verdict.last).toBeGreaterThanOrEqual(written);
              expect(verdict.last).toBeLessThanOrEqual(written + 1);
              if (verdict.last > 0) expect(verdict.entries).toBe(verdict.last - verdict.first + 1);
              expect(verdict.entries).toBeGreaterThanOrEqual(Math.min(verdict.last, KEPT_FILES * ENTRIES_IN_FILE));
              written = verdict.last;
            }
            await audit.write(['after it all']);
            const { ok, last, trustedTo } = await verifyAudit(audit.path);
            expect({ ok, last, trustedTo }).toEqual({ ok: true, last: written + 1, trustedTo: 0 });
          } finally {
            audit.dispose();
          }
        },
      ),
      fuzzRuns(60),
    );
  });
});
