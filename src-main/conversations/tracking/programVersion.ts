import { readFile, readlink, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const VERSION = /\d+\.\d+\.\d+/;
/** Most folders between a program's file and its package. */
const MOST_FOLDERS = 6;

/**
 * Returns the version of the running program: of the package of its file, or in the path of its file. Null if neither has one. `argv`: its
 * command line; `pids`: the processes that have the terminal, whose files the system may show.
 */
export async function programVersion(
  packages: readonly string[],
  argv: readonly string[],
  pids: readonly number[],
): Promise<string | null> {
  const exes = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/exe`).catch(() => null))); // only Linux has it
  const files = [...argv.slice(0, 3).filter((word) => word.startsWith('/')), ...exes].filter((file) => file !== null);
  for (const file of files) {
    const real = await realpath(file).catch(() => file); // an update may have removed it
    const version = await packageVersion(packages, real);
    if (version !== null) return version;
    const inPath = packages.some((name) => real.includes(name.split('/').at(-1) ?? name));
    const own = inPath ? VERSION.exec(real)?.[0] : undefined;
    if (own !== undefined) return own;
  }
  return null;
}

async function packageVersion(packages: readonly string[], file: string): Promise<string | null> {
  let folder = dirname(file);
  for (let up = 0; up < MOST_FOLDERS && folder !== dirname(folder); up += 1, folder = dirname(folder)) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
    const { name, version } = text === null ? {} : asPackage(text);
    if (name !== undefined && packages.some((own) => name === own || name.startsWith(`${own}-`)))
      return VERSION.exec(version ?? '')?.[0] ?? null;
  }
  return null;
}

function asPackage(text: string): { name?: string; version?: string } {
  try {
    const { name, version } = JSON.parse(text) as { name?: unknown; version?: unknown };
    return {
      ...(typeof name === 'string' && { name }),
      ...(typeof version === 'string' && { version }),
    };
  } catch {
    return {}; // invalid JSON in another project's file
  }
}
