import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, test } from 'vitest';
import { fuzzSeed } from '../support/fuzzRuns.ts';
import { HOOKS_DIR, RealShell } from '../support/RealShell.ts';
import { expectCards, known } from './commandLaw.ts';

/** Folder names with characters that are special to a shell, multi-byte letters and newlines. */
const name = fc
  .string({ unit: fc.constantFrom(...'aé à日本ß🙂 \n\t\'"\\$`!#&*?~%{}()[]<>|;=-^:@+,.'), minLength: 1, maxLength: 12 })
  .filter((text) => text !== '.' && text !== '..');
const NAMES = 5;

const root = mkdtempSync(join(tmpdir(), 'hansard-path-'));
let shell: RealShell | undefined;
afterAll(() => rmSync(root, { recursive: true, force: true }));
afterEach(async () => await shell?.dispose());

test.each(['bash', 'zsh', 'fish'])(
  '%s finds its hook in an installation folder of any name',
  async (program) => {
    const seed = fuzzSeed();
    const names = ['à', '日', 'a b', "it's", 'two\nlines', ...fc.sample(name, { numRuns: NAMES, seed })];
    for (const [n, text] of names.entries()) {
      const hooksDir = join(root, `${program}-${n}`, text);
      mkdirSync(hooksDir, { recursive: true });
      cpSync(HOOKS_DIR, hooksDir, { recursive: true });
      const env = (): Record<string, string> => (n % 2 === 0 ? {} : { LC_ALL: 'C' });
      shell = new RealShell({ shell: program, hooksDir, env });
      await shell.waitFor(
        () => (shell?.prompts ?? 0) > 0,
        `a prompt in ${JSON.stringify(text)} (seed ${seed}, ${program})`,
      );
      await expectCards(shell, known('echo a'));
      await shell.dispose();
    }
  },
  180_000,
);
