import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../fixtures/agents');

/** One piece of an agent's output; `atMs` counts from the start of the first session. */
export interface Printed {
  atMs: number;
  bytes: Uint8Array;
  agent: string;
}

/** The output of the recorded agents, one session after the other; `only` selects files whose names contain it. */
export function readSessions(only = ''): Printed[] {
  const all: Printed[] = [];
  let startMs = 0;
  for (const name of readdirSync(FOLDER)) {
    if (!name.endsWith('.cast') || !name.includes(only)) continue;
    const [agent = ''] = name.split('-');
    const [, ...lines] = readFileSync(join(FOLDER, name), 'utf8').trimEnd().split('\n');
    let endMs = startMs;
    for (const line of lines) {
      const [seconds, code, data] = JSON.parse(line) as [number, string, string];
      endMs = startMs + seconds * 1000;
      if (code === 'o') all.push({ atMs: endMs, bytes: Buffer.from(data), agent });
    }
    startMs = endMs + 1000;
  }
  return all;
}

/** Joins output into pieces of about `bytes` bytes, as a PTY delivers a flood; each piece has the time of its last part. */
export function gather(printed: readonly Printed[], bytes: number): Printed[] {
  const pieces: Printed[] = [];
  let parts: Uint8Array[] = [];
  let length = 0;
  for (const [n, { atMs, bytes: part, agent }] of printed.entries()) {
    parts.push(part);
    length += part.length;
    if (length < bytes && n < printed.length - 1) continue;
    pieces.push({ atMs, bytes: Buffer.concat(parts), agent });
    parts = [];
    length = 0;
  }
  return pieces;
}
