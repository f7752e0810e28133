import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import type { Expected } from './expected.ts';

const FIXTURES = new URL('../../fixtures/agents', import.meta.url).pathname;
/** One short case with every version of every agent; what is read of them is in the figures beside them, and it may be wrong. */
export const VERSIONS = join(FIXTURES, 'versions');

export interface FoundRecording {
  /** `<agent>/<version>-<case>`, as its folder. */
  readonly name: string;
  /** Path of the asciicast, of a `.zst` where it is compressed. */
  readonly cast: string;
  readonly expected: Expected;
  /** The recording of the terminal before, where a case was played in several. */
  readonly before?: FoundRecording;
}

/** The committed recordings of the rig, or those of another folder. */
export function findRecordings(folder = FIXTURES): FoundRecording[] {
  const agents = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = agents.flatMap(({ name }) => readdirSync(join(folder, name)).map((one) => `${name}/${one}`));
  const found = new Map<string, FoundRecording>();
  for (const name of names.filter((one) => existsSync(join(folder, one, 'expected.json'))).sort()) {
    const expected = JSON.parse(readFileSync(join(folder, name, 'expected.json'), 'utf8')) as Expected;
    const before = found.get(terminalBefore(name));
    found.set(name, { name, cast: castIn(join(folder, name)), expected, ...(before && { before }) });
  }
  return [...found.values()];
}

/** Name of the recording of the terminal before that of `name`; '' where it is the first. */
function terminalBefore(name: string): string {
  const [, base, count] = /^(.*)-t(\d+)$/.exec(name) ?? [];
  if (base === undefined) return '';
  return count === '2' ? base : `${base}-t${Number(count) - 1}`;
}

function castIn(folder: string): string {
  const compressed = join(folder, 'session.cast.zst');
  return existsSync(compressed) ? compressed : join(folder, 'session.cast');
}

/** The asciicast as text. */
export function readCast(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString('utf8');
}
