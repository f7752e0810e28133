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

/** The committed recordings of the rig, or those of another folder. */
export function findRecordings(folder = FIXTURES): FoundRecording[] {
  const agents = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = agents.flatMap(({ name }) => readdirSync(join(folder, name)).map((one) => `${name}/${one}`));
  return names
    .filter((name) => existsSync(join(folder, name, 'expected.json')))
    .sort()
    .map((name) => ({
      name,
      cast: join(folder, name, 'session.cast'),
      expected: JSON.parse(readFileSync(join(folder, name, 'expected.json'), 'utf8')) as Expected,
    }));
}
