import type {
  ChangedFile,
  ChangedFileRef,
  ChangePatch,
  ChangeRange,
  SnapshotLine,
  SnapshotTaken,
} from '../contract/changes.ts';
import { toId } from './pathBytes.ts';
import { type Compared, compare, diffFault, type Ends, endsOf } from './readChanges.ts';
import { readPatch, readWholePatch } from './readDiff.ts';
import type { Shadow } from './Shadow.ts';
import type { Repository } from './Snapshots.ts';
import { type TurnRange, turnRanges, wholeRange } from './turnsOf.ts';

export interface ReaderSpec {
  lines(terminalId: string, conversationId: string): Promise<readonly SnapshotLine[]>;
  open(repository: Repository): Promise<Shadow>;
  /** Takes the folder as it is now while the newest turn of the conversation is in progress; null otherwise. */
  now(conversationId: string, repository: Repository): Promise<SnapshotTaken> | null;
}

export interface ReadRange {
  readonly range: TurnRange;
  readonly ends: Ends;
  readonly isLive: boolean;
}

/** Reads what changed between the snapshots of a conversation. */
export class ChangeReader {
  readonly #spec: ReaderSpec;

  constructor(spec: ReaderSpec) {
    this.#spec = spec;
  }

  async ranges({ terminalId, conversationId }: Omit<ChangeRange, 'turn'>): Promise<TurnRange[]> {
    return turnRanges(await this.#spec.lines(terminalId, conversationId));
  }

  /** Null if the turn does not exist. */
  async find(wanted: ChangeRange): Promise<ReadRange | null> {
    const ranges = await this.ranges(wanted);
    const { turn } = wanted;
    const range = turn === null ? wholeRange(ranges) : ranges.find((one) => one.turn === turn);
    if (!range) return null;
    const { repository, fault } = range.begin;
    const reading =
      range.end === null && repository && !fault ? this.#spec.now(wanted.conversationId, repository) : null;
    try {
      return { range, ends: endsOf(range, await reading), isLive: reading !== null };
    } catch (error) {
      return { range, ends: { fault: diffFault(error) }, isLive: true };
    }
  }

  async compare({ ends }: ReadRange): Promise<Compared> {
    const nothing = { files: [], leftOut: [] };
    if ('fault' in ends) return { ...nothing, fault: ends.fault };
    try {
      return await compare(await this.#spec.open(ends.repository), ends.from, ends.to);
    } catch (error) {
      return { ...nothing, fault: isMissing(error) ? { why: 'gone', detail: '' } : diffFault(error) };
    }
  }

  /** Reads the change of one file, cut to what a window shows. Rejects if it cannot be read. */
  async patch(wanted: ChangedFileRef): Promise<ChangePatch> {
    const { shadow, from, to, file } = await this.#file(wanted);
    return readPatch(shadow, { from: from.commit, to: to.commit, file });
  }

  /** Reads a patch for `git apply`, of one file or of all. Rejects if it cannot be read or is longer than 32 MiB. */
  async wholePatch(wanted: ChangeRange & { fileId: string | null }): Promise<string> {
    const { fileId } = wanted;
    if (fileId !== null) {
      const { shadow, from, to, file } = await this.#file({ ...wanted, fileId });
      return readWholePatch(shadow, from.commit, to.commit, file);
    }
    const { shadow, from, to } = await this.#open(wanted);
    return readWholePatch(shadow, from.commit, to.commit);
  }

  async #open(wanted: ChangeRange) {
    const found = await this.find(wanted);
    if (!found) throw new Error('there is no such turn');
    if ('fault' in found.ends) throw new Error(found.ends.fault.detail || 'its changes are not known');
    const { repository, from, to } = found.ends;
    return { found, from, to, shadow: await this.#spec.open(repository) };
  }

  async #file({ fileId, ...wanted }: ChangedFileRef) {
    const { found, ...opened } = await this.#open(wanted);
    const file = (await this.compare(found)).files.find(({ id }) => id === fileId);
    if (!file) throw new Error('this file has not changed, or is as it was again');
    return { ...opened, file };
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Returns the earlier path of a renamed file, and the path itself of any other. */
export function earlierId({ id, from }: ChangedFile): string {
  return from === null ? id : toId(Buffer.from(from).toString('latin1'));
}
