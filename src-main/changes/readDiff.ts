import type { ChangedFile, ChangePatch, FileStatus } from '../contract/changes.ts';
import { GitFault } from './git.ts';
import { fromId, splitNul, toBytes, toId, toText } from './pathBytes.ts';
import type { Shadow } from './Shadow.ts';

export const DIFF_LIMIT_MS = 20_000;
/** Git looks for renames among at most this many files. */
const RENAMES = ['-M', '-l1000'];
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color'];
/** A window draws at most this many bytes of a file's change; a longer one is cut there. */
export const SHOWN_BYTES = 512 * 1024;
const COPIED_BYTES = 32 * 1024 * 1024;

const STATUS: Readonly<Record<string, FileStatus>> = { A: 'added', D: 'deleted', R: 'renamed', T: 'type' };

/** Lists the files that differ between two trees or commits, in the order of their paths, as `git diff -M` does. */
export async function readDiff(shadow: Shadow, from: string, to: string): Promise<ChangedFile[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--numstat', ...RENAMES, ...PLAIN, from, to];
  return parseDiff(splitNul(await shadow.read(args, DIFF_LIMIT_MS)));
}

/** Parses `--raw --numstat -z`: first all raw entries, then the counts of each. Pure. */
export function parseDiff(fields: readonly string[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  let at = 0;
  const next = () => fields[at++] ?? '';
  while (at < fields.length && fields[at]?.startsWith(':')) {
    const [oldMode = '', newMode = '', oldId, newId, letter = ''] = next().slice(1).split(' ');
    const first = next();
    const raw = letter.startsWith('R') ? next() : first;
    const isModeOnly = oldId === newId && oldMode !== newMode;
    const status = STATUS[letter[0] ?? ''] ?? (isModeOnly ? 'mode' : 'modified');
    const from = raw === first ? null : toText(first);
    files.set(raw, { id: toId(raw), path: toText(raw), from, status, added: 0, removed: 0, oldMode, newMode });
  }
  while (at < fields.length) {
    const [added = '', removed = '', path = ''] = splitCounts(next());
    if (path === '') next(); // a rename has its old path first
    const raw = path === '' ? next() : path;
    const file = files.get(raw);
    if (file) files.set(raw, { ...file, added: countOf(added), removed: countOf(removed) });
  }
  return [...files.values()];
}

/** Splits at the first two tabs only, because a path may contain tabs. */
function splitCounts(field: string): string[] {
  const [, added = '', removed = '', path = ''] = /^([\d-]+)\t([\d-]+)\t([\s\S]*)$/.exec(field) ?? [];
  return [added, removed, path];
}

function countOf(text: string): number | null {
  return text === '-' ? null : Number(text);
}

/** Reads the change of one file for people, without the bytes of binary files. */
export async function readPatch(
  shadow: Shadow,
  { from, to, file }: { from: string; to: string; file: ChangedFile },
): Promise<ChangePatch> {
  const paths = pathspecs(file);
  if (paths === null) return { text: '', isCut: true };
  const args = ['diff-tree', '-r', '-p', ...RENAMES, ...PLAIN, from, to, '--', ...paths];
  const bytes = await shadow.read(args, DIFF_LIMIT_MS, COPIED_BYTES);
  return cutText(bytes);
}

/** Reads a patch for `git apply`, of all files or of one. Rejects if it is longer than 32 MiB. */
export async function readWholePatch(shadow: Shadow, from: string, to: string, file?: ChangedFile): Promise<string> {
  const paths = file ? (pathspecs(file) ?? []) : [];
  const args = ['diff-tree', '-r', '-p', '--binary', '--full-index', ...RENAMES, ...PLAIN, from, to, '--', ...paths];
  try {
    return (await shadow.read(args, DIFF_LIMIT_MS, COPIED_BYTES)).toString();
  } catch (error) {
    if (error instanceof GitFault && error.why === 'long') throw new Error('the patch is longer than 32 MiB');
    throw error;
  }
}

/** Null for a path that is not UTF-8, because arguments of a program are text. */
function pathspecs({ id, from }: ChangedFile): string[] | null {
  const raw = fromId(id);
  const path = toBytes(raw).toString();
  if (Buffer.from(path).toString('latin1') !== raw || from?.includes('\\x')) return null;
  return from === null ? [path] : [from, path];
}

function cutText(bytes: Buffer): ChangePatch {
  if (bytes.length <= SHOWN_BYTES) return { text: bytes.toString(), isCut: false };
  const end = bytes.lastIndexOf(0x0a, SHOWN_BYTES);
  return { text: bytes.subarray(0, end > 0 ? end + 1 : SHOWN_BYTES).toString(), isCut: true };
}
