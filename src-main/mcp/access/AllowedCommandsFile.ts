import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Policy } from '../../contract/mcp/policy.ts';
import { wordsToCheck } from '../../policy/judgeInShell.ts';

const PRIVATE_FILE = 0o600;

/**
 * Writes the words that the person's rules are about to one line of a file, which shells read before each prompt. So a new rule also works in a
 * terminal that was open before.
 */
export class AllowedCommandsFile {
  readonly path: string;
  #written: string | null = null;

  constructor(dataFolder: string) {
    this.path = join(dataFolder, 'rule-words');
  }

  /** Writes synchronously, because a shell may start next. If the write fails, shells do not report new words, and rules about those words ask. */
  write(policy: Policy): void {
    const line = `${wordsToCheck(policy).join(' ')}\n`;
    if (line === this.#written) return;
    const fresh = `${this.path}.new`;
    try {
      writeFileSync(fresh, line, { mode: PRIVATE_FILE });
      renameSync(fresh, this.path);
      this.#written = line;
    } catch {
      this.#written = null; // the next call tries again; meanwhile rules ask
    }
  }
}
