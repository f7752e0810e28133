import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Marks where the fuses are in Electron's binary: the sentinel that `@electron/fuses` looks for, format 1, nine fuses. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSE_COUNT = 9;

/**
 * What the packager needs of an unpacked Electron for Linux: a program with a fuse wire, all of whose fuses are the wrong
 * way round, and a folder for the app.
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
