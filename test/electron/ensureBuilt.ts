import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/sourceFiles.ts';

/** `npm test` has built before it starts a suite; one that is run alone builds what is missing. */
export function ensureBuilt(): void {
  const wanted = ['out/main/electron.js', 'out/main/cli.js', 'out/preload/preload.cjs', 'out/renderer/index.html'];
  if (wanted.every((path) => existsSync(join(ROOT, path)))) return;
  const built = spawnSync('electron-vite', ['build', '--logLevel', 'warn'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}` },
  });
  if (built.status !== 0) throw new Error(`the build failed:\n${built.stdout}${built.stderr}`);
}
