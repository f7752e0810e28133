import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./drawnAgent.mjs', import.meta.url));

/** Puts the agent that draws as Codex does into `home`; returns the path that starts it. It is found by its name. */
export function installDrawnAgent(home: string, name = 'codex'): string {
  mkdirSync(join(home, 'bin'), { recursive: true });
  const path = join(home, 'bin', name);
  copyFileSync(PROGRAM, path);
  chmodSync(path, 0o755);
  return path;
}
