import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifyAudit } from '../../src-main/store/audit/verifyAudit.ts';
import { type Disk, nodeDisk } from '../../src-main/store/files/Disk.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { AuditFolder, anEntry } from './auditFolder.ts';

/**
 * The real disk of a process that is killed during its write number `calls`. That write still writes `part` bytes; every later change
 * does nothing, because a dead process changes nothing.
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
    return nodeDisk.open(path); // the file exists, so this changes nothing
  }

  write(fd: number, bytes: Uint8Array, position: number): number {
    this.#left -= 1;
    if (this.isDead || this.#left > 0) return this.isDead ? bytes.length : nodeDisk.write(fd, bytes, position);
    this.isDead = true;
    // A head fits in one page, so it is written whole or not at all; a line may be cut at the end of a page.
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

/** Few enough that the log removes old files within this test. */
const KEPT_FILES = 3;
/** Least number of entries in a file of 1,200 bytes. */
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
              // The next open counts an entry that is whole and has no head yet.
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
