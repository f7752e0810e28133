import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A home in which fish has started before: at its first start it reads all manual pages of the machine in the background, for a minute of
 * a core, and goes on with it after the test.
 */
export function knownToFish(home: string): void {
  mkdirSync(join(home, '.local/share/fish/generated_completions'), { recursive: true });
}
