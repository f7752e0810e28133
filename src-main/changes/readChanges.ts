import type {
  ChangeSet,
  ConversationChanges,
  LeftOut,
  SnapshotFault,
  SnapshotLine,
  SnapshotTaken,
} from '../contract/changes.ts';
import { GitFault } from './git.ts';
import { readDiff } from './readDiff.ts';
import type { Shadow } from './Shadow.ts';
import type { Repository } from './Snapshots.ts';
import { faultOf } from './takeTree.ts';
import type { TurnRange } from './turnsOf.ts';

export type Compared = Omit<ChangeSet, 'commands' | 'isLive'>;

/** The two ends of a comparison and their repository, or why they cannot be compared. */
export type Ends =
  | { readonly repository: Repository; readonly from: SnapshotTaken; readonly to: SnapshotTaken }
  | { readonly fault: SnapshotFault };

const UNSEEN_END: SnapshotFault = { why: 'unended', detail: '' };
const MOVED: SnapshotFault = { why: 'moved', detail: '' };

/** `now` is the folder as it is now, for a turn in progress; null for a turn that ended. */
export function endsOf({ begin, end }: TurnRange, now: SnapshotTaken | null): Ends {
  const fault = begin.fault ?? end?.fault;
  if (fault) return { fault };
  const to = now ?? end?.taken ?? null;
  if (!begin.taken || !begin.repository || !to) return { fault: UNSEEN_END };
  if (now === null && end?.repository && end.repository.root !== begin.repository.root) return { fault: MOVED };
  return { repository: begin.repository, from: begin.taken, to };
}

/** Compares the ends. Faults of git and of the disk are part of the result; it does not reject for them. */
export async function compare(shadow: Shadow, from: SnapshotTaken, to: SnapshotTaken): Promise<Compared> {
  try {
    const leftOut = leftOutOf(from, to);
    const uncompared = new Set(leftOut.map(({ path }) => path));
    const ignored = new Set(to.ignored);
    const files = (await readDiff(shadow, from.commit, to.commit))
      .filter(({ path }) => !uncompared.has(path))
      .map((file) =>
        file.status === 'deleted' && ignored.has(file.path) ? { ...file, status: 'ignored' as const } : file,
      );
    return { files, leftOut, fault: null };
  } catch (error) {
    return { files: [], leftOut: [], fault: diffFault(error) };
  }
}

/** Git has several messages for a missing object. */
export function diffFault(error: unknown): SnapshotFault {
  const isGone =
    error instanceof GitFault && error.why === 'failed' && /bad object|unable to read|not a valid/i.test(error.message);
  return isGone ? { why: 'gone', detail: '' } : faultOf(error);
}

function leftOutOf(from: SnapshotTaken, to: SnapshotTaken): (LeftOut & { hasChanged: boolean | null })[] {
  const before = new Map(from.leftOut.map((one) => [one.path, one]));
  const after = new Map(to.leftOut.map((one) => [one.path, one]));
  return [...new Map([...before, ...after]).values()].map((one) => {
    const [first, second] = [before.get(one.path), after.get(one.path)];
    const isKnown = one.bytes !== null && one.changedMs !== null;
    if (!first || !second) return { ...one, hasChanged: true };
    return {
      ...one,
      hasChanged: isKnown ? first.bytes !== second.bytes || first.changedMs !== second.changedMs : null,
    };
  });
}

/** Returns the line of the newest snapshot, which has the facts of the whole conversation. */
export function rootOf(lines: readonly SnapshotLine[]): Pick<ConversationChanges, 'root' | 'cwd' | 'files'> {
  const last = lines.at(-1);
  const root = lines.findLast(({ repository }) => repository !== null)?.repository?.root ?? null;
  const files = lines.findLast(({ edge }) => edge !== 'restore')?.files ?? null;
  return { root, cwd: last?.cwd ?? null, files };
}
