import { readdir, readFile, readlink, realpath } from 'node:fs/promises';

/** Most descriptors of one process that are read. */
const MAX_DESCRIPTORS = 256;

/** The variables of `names` with which the process was started. Empty if it has ended or if there is no /proc. */
export async function environmentOf(pid: number, names: readonly string[]): Promise<Record<string, string>> {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const wanted = new Set(names);
  const pairs = text
    .split('\0')
    .map((pair): [string, string] => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)]);
  return Object.fromEntries(pairs.filter(([name]) => wanted.has(name)));
}

/** Paths of the files that the process has open. Empty as above. */
export async function openFilesOf(pid: number): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const paths = await Promise.all(
    names.slice(0, MAX_DESCRIPTORS).map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
  );
  return paths.filter((path) => path.startsWith('/'));
}

/** Reads the working folder of a process; null if it is `said` with links resolved, or not known. */
export async function folderUnless(pid: number, said: string): Promise<string | null> {
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null); // the process has ended, or there is no /proc
  if (folder === null || folder.endsWith(' (deleted)')) return null;
  const plain = await realpath(said).catch(() => said);
  return folder === plain ? null : folder;
}
