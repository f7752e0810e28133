import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Expected } from './expected.ts';

const FIXTURES = new URL('../../fixtures/agents', import.meta.url).pathname;

export interface FoundRecording {
  /** `<agent>/<version>-<case>`, as its folder. */
  readonly name: string;
  /** Path of the asciicast. */
  readonly cast: string;
  readonly expected: Expected;
}

/** The committed recordings of the rig. */
export function findRecordings(): FoundRecording[] {
  const agents = readdirSync(FIXTURES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = agents.flatMap(({ name }) => readdirSync(join(FIXTURES, name)).map((one) => `${name}/${one}`));
  return names
    .filter((name) => existsSync(join(FIXTURES, name, 'expected.json')))
    .sort()
    .map((name) => ({
      name,
      cast: join(FIXTURES, name, 'session.cast'),
      expected: JSON.parse(readFileSync(join(FIXTURES, name, 'expected.json'), 'utf8')) as Expected,
    }));
}
