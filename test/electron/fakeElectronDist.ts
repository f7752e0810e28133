import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Precedes the fuses in Electron's binary: the sentinel that `@electron/fuses` searches, then format 1 and nine fuses. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSE_COUNT = 9;

/**
 * Makes the parts of an unpacked Electron for Linux that the packager needs: a program with the fuses of `wire`, and a folder for the
 * app.
 */
export function makeElectronDist(folder: string, wire: string): void {
  if (wire.length !== FUSE_COUNT) throw new Error(`${FUSE_COUNT} fuses are needed, not ${wire.length}`);
  mkdirSync(join(folder, 'resources'), { recursive: true });
  const binary = Buffer.concat([
    Buffer.from(`#!/bin/sh\n${SENTINEL}`),
    Buffer.from([1, FUSE_COUNT]),
    Buffer.from(wire),
  ]);
  writeFileSync(join(folder, 'electron'), binary);
  chmodSync(join(folder, 'electron'), 0o755);
}
