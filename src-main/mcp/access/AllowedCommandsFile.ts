import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Policy } from '../../contract/mcp/policy.ts';
import { wordsToCheck } from '../../policy/judgeInShell.ts';

const PRIVATE_FILE = 0o600;

/**
 * The words that the person's rules are about, on one line of a file that shells read before each prompt: so a rule that is new counts in
 * a terminal that was open before.
 */
export class AllowedCommandsFile {
  readonly path: string;
  #written: string | null = null;

  constructor(dataFolder: string) {
    this.path = join(dataFolder, 'rule-words');
  }

  /** Before it returns, since a shell may start next. Where it cannot be written shells tell nothing of new words, and rules about those ask. */
  write(policy: Policy): void {
    const line = `${wordsToCheck(policy).join(' ')}\n`;
    if (line === this.#written) return;
    const fresh = `${this.path}.new`;
    try {
      writeFileSync(fresh, line, { mode: PRIVATE_FILE });
      renameSync(fresh, this.path);
      this.#written = line;
    } catch {
      this.#written = null; // tried again at the next look; asking is what happens meanwhile
    }
  }
}
