import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./drawnAgent.mjs', import.meta.url));

/** Installs `drawnAgent.mjs` in `home` as `name`, by which Hansard detects the agent; returns its path. */
export function installDrawnAgent(home: string, name = 'codex'): string {
  mkdirSync(join(home, 'bin'), { recursive: true });
  const path = join(home, 'bin', name);
  copyFileSync(PROGRAM, path);
  chmodSync(path, 0o755);
  return path;
}
