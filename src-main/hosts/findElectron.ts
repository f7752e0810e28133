import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findAppFiles } from './appFiles.ts';

/** Fetching the desktop app's binary may take as long as a slow line needs for 120 MB; an unreachable server answers at once. */
const FETCH_TIMEOUT_MS = 10 * 60_000;

/**
 * Electron's binary, downloaded on first use (its package has had no install script since 42). Null if unavailable: no package, no network, no
 * display.
 */
export async function findElectron(): Promise<{ binary: string; args: string[] } | null> {
  const { root } = findAppFiles();
  const packaged = packagedApp(root);
  if (packaged !== null) return hasDisplay() ? { binary: packaged, args: [] } : null;
  const folder = join(root, 'node_modules/electron');
  if (!existsSync(join(folder, 'install.js'))) return null;
  if (!hasDisplay()) return null;
  const binary = electronBinary(folder) ?? (await fetchElectron(folder));
  return binary ? { binary, args: [root] } : null;
}

function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** The desktop app that contains this command line, in the folder `bridge` of its resources; null outside of one. */
function packagedApp(root: string): string | null {
  if (basename(root) !== 'bridge') return null;
  const app = join(root, '../..');
  const names = { darwin: 'MacOS/Hansard', win32: 'Hansard.exe' } as Partial<Record<NodeJS.Platform, string>>;
  const binary = join(app, names[process.platform] ?? 'hansard-desktop');
  return existsSync(binary) ? binary : null;
}

function electronBinary(folder: string): string | null {
  const pathFile = join(folder, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const binary = join(folder, 'dist', readFileSync(pathFile, 'utf8').trim());
  return existsSync(binary) ? binary : null;
}

async function fetchElectron(folder: string): Promise<string | null> {
  process.stdout.write('Fetching the desktop app (Electron, once) …\n');
  await new Promise<void>((resolve) => {
    // The result is whether the binary exists now, whatever failed.
    execFile(process.execPath, [join(folder, 'install.js')], { cwd: folder, timeout: FETCH_TIMEOUT_MS }, () =>
      resolve(),
    );
  });
  return electronBinary(folder);
}
