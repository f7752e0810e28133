import { join } from 'node:path';
import type { Block } from '../contract/block.ts';
import type {
  ChangedFileRef,
  ChangeRange,
  ChangeSet,
  ConversationChanges,
  RestoreVerdict,
  SnapshotLine,
  TurnCommand,
} from '../contract/changes.ts';
import type { ChatLine } from '../contract/chat/chat.ts';
import { SessionFolder } from '../store/record/SessionFolder.ts';
import { follow } from '../util/follow.ts';
import { detach } from '../util/strayErrors.ts';
import { ChangeReader, earlierId } from './ChangeReader.ts';
import { ChangeRecorder, type RecorderSpec } from './ChangeRecorder.ts';
import { ChangesFile, latestLines, readChangeLines } from './ChangesFile.ts';
import type { Env } from './git.ts';
import { fromId, toBytes } from './pathBytes.ts';
import { rootOf } from './readChanges.ts';
import { restoreChanged } from './restoreChanged.ts';
import { Snapshots } from './Snapshots.ts';
import { countTests, turnTools } from './turnCommands.ts';
import { type TurnRange, turnRanges, turnView } from './turnsOf.ts';

export interface ChangesSpec extends Omit<RecorderSpec, 'snapshots'> {
  readonly env: Env;
  /** Reads all lines of a conversation. */
  readonly chats: { whole(terminalId: string, conversationId: string): Promise<{ lines: ChatLine[] } | null> };
  /** Finds the blocks that agents ran in open terminals since a time, newest first, and reads the end of the output of one. */
  readonly cards: { since(atMs: number): Promise<Block[]>; outputEnd(block: Block): Promise<string> };
}

/** Records and compares what agents changed in their folders. It takes snapshots while they work. */
export class Changes {
  readonly reader: ChangeReader;
  readonly #spec: ChangesSpec;
  readonly #snapshots: Snapshots;
  readonly #recorder: ChangeRecorder;

  constructor(spec: ChangesSpec) {
    this.#spec = spec;
    this.#snapshots = new Snapshots(spec);
    this.#recorder = new ChangeRecorder({ ...spec, snapshots: this.#snapshots });
    this.reader = new ChangeReader({
      lines: (terminalId, conversationId) => this.#lines(terminalId, conversationId),
      open: (repository) => this.#snapshots.reader(repository),
      now: (conversationId, repository) =>
        this.#recorder.live(conversationId)?.turn.isOpen ? this.#snapshots.now(repository) : null,
    });
    detach('Changes', this.#snapshots.sweep(spec.clock.nowMs()));
  }

  /** Fires with the conversation of which a snapshot was taken. */
  get onChange() {
    return this.#recorder.onChange;
  }

  async *follow(signal?: AbortSignal): AsyncGenerator<{ terminalId: string; conversationId: string }> {
    yield* follow(this.#recorder.onChange, () => [], signal);
  }

  /** Lists the turns, newest first. */
  async turns({ terminalId, conversationId }: Omit<ChangeRange, 'turn'>): Promise<ConversationChanges> {
    const lines = await this.#lines(terminalId, conversationId);
    const turns = turnRanges(lines).map(turnView).reverse();
    return { isOn: this.#spec.isOn(), turns, ...rootOf(lines) };
  }

  /** Null if the turn does not exist. */
  async read(wanted: ChangeRange): Promise<ChangeSet | null> {
    const found = await this.reader.find(wanted);
    if (!found) return null;
    const [compared, commands] = await Promise.all([this.reader.compare(found), this.#commands(wanted, found.range)]);
    return { ...compared, isLive: found.isLive, commands };
  }

  /** Counts the files that a conversation has changed so far; null if that is not known. */
  async files(terminalId: string, conversationId: string): Promise<number | null> {
    const lines = await this.#lines(terminalId, conversationId).catch(() => []); // the file cannot be read, so the count is not known
    return rootOf(lines).files;
  }

  /** Restores a file as it was before the turn, after a snapshot of the file that it replaces. */
  async restore(wanted: ChangedFileRef): Promise<RestoreVerdict> {
    const found = await this.reader.find(wanted);
    if (!found) return { ok: false, reason: 'there is no such turn' };
    const file = (await this.reader.compare(found)).files.find(({ id }) => id === wanted.fileId);
    if (!file || 'fault' in found.ends) return { ok: false, reason: 'this file has not changed in the turn' };
    const { repository, from } = found.ends;
    return restoreChanged({
      shadow: () => this.#snapshots.reader(repository),
      keep: (also) => this.#keep(wanted, { repository: repository.root, turn: found.range.turn, also }),
      commit: from.commit,
      atMs: found.range.begin.atMs,
      path: fromId(file.id),
      earlier: fromId(earlierId(file)),
    });
  }

  /** Returns the path of a turn's file on the disk; null if its name is not UTF-8 or the turn is not known. */
  async pathOf(wanted: ChangedFileRef): Promise<string | null> {
    const root = (await this.#lines(wanted.terminalId, wanted.conversationId)).findLast(
      ({ repository }) => repository !== null,
    )?.repository?.root;
    const path = toBytes(fromId(wanted.fileId)).toString();
    return root === undefined || path.includes('\uFFFD') ? null : join(root, path);
  }

  async dispose(): Promise<void> {
    this.#snapshots.dispose();
    await this.#recorder.dispose();
  }

  async #lines(terminalId: string, conversationId: string): Promise<readonly SnapshotLine[]> {
    const live = await this.#recorder.lines(terminalId, conversationId);
    if (live) return live;
    const { changesJsonl } = new SessionFolder(this.#spec.dataFolder, terminalId);
    return latestLines(await readChangeLines(changesJsonl), conversationId);
  }

  async #keep(
    { terminalId, conversationId }: ChangedFileRef,
    { repository, turn, also }: { repository: string; turn: number; also: readonly string[] },
  ): Promise<SnapshotLine> {
    const live = this.#recorder.live(conversationId);
    if (live && live.root === repository) return live.keep(turn, also);
    const { dataFolder } = this.#spec;
    const file = await ChangesFile.open(new SessionFolder(dataFolder, terminalId).changesJsonl, this.#spec);
    const n = (file.of(conversationId).at(-1)?.n ?? 0) + 1;
    const result = await this.#snapshots.take(repository, { conversationId, n, before: null, also });
    const about = { conversationId, n, turn, edge: 'restore', promptId: null, title: '', cwd: repository } as const;
    const line = { ...about, atMs: this.#spec.clock.nowMs(), ...result, others: [], files: null };
    file.write(line);
    await file.close();
    return line;
  }

  async #commands(wanted: ChangeRange, range: TurnRange): Promise<TurnCommand[]> {
    const { terminalId, conversationId, turn } = wanted;
    const whole = await this.#spec.chats.whole(terminalId, conversationId).catch(() => null); // only cards are shown of a conversation that cannot be read
    const tools = turnTools(whole?.lines ?? [], await this.reader.ranges(wanted), turn);
    return [...tools, ...(await this.#cards(range))];
  }

  /** Finds what MCP clients ran in terminals of the same work tree during the turn. */
  async #cards({ begin, end }: TurnRange): Promise<TurnCommand[]> {
    const root = begin.repository?.root;
    if (root === undefined) return [];
    const { cards } = this.#spec;
    const blocks = (await cards.since(begin.atMs)).filter(
      ({ startedMs, cwd, actor }) =>
        actor.startsWith('agent:') && startedMs <= (end?.atMs ?? Number.POSITIVE_INFINITY) && isWithin(cwd, root),
    );
    return Promise.all(
      blocks.map(async (block) => ({
        ...{ text: block.cmd ?? '', blockId: block.id, terminalId: block.terminalId, exitCode: block.exitCode },
        status: statusOf(block),
        tests: countTests(await cards.outputEnd(block)),
      })),
    );
  }
}

function isWithin(cwd: string | null, root: string): boolean {
  return cwd === root || cwd?.startsWith(`${root}/`) === true;
}

function statusOf({ status, exitCode }: Block): TurnCommand['status'] {
  if (status === 'running') return 'running';
  return exitCode === null ? 'unknown' : exitCode === 0 ? 'done' : 'failed';
}
