import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes `home` look as if fish had started there before. At its first start, fish parses all manual pages of the machine in the background,
 * which takes a minute of a core and continues after the test.
 */
export function knownToFish(home: string): void {
  mkdirSync(join(home, '.local/share/fish/generated_completions'), { recursive: true });
}
