import type { SnapshotLine } from '../contract/changes.ts';
import { findWorkTree } from '../store/record/gitBranch.ts';
import type { Clock } from '../util/Clock.ts';
import { SerialQueue } from '../util/SerialQueue.ts';
import type { ChangesFile } from './ChangesFile.ts';
import { readDiff } from './readDiff.ts';
import type { SnapshotResult, Snapshots } from './Snapshots.ts';
import { NO_TURN, type TurnState } from './trackTurn.ts';

export interface LiveSpec {
  readonly id: string;
  readonly terminalId: string;
  readonly file: Promise<ChangesFile>;
  readonly snapshots: Snapshots;
  readonly clock: Clock;
  onWritten(): void;
}

/** Tracks the turns of a conversation in an open terminal, and takes the snapshots around them. */
export class LiveConversation {
  readonly id: string;
  readonly terminalId: string;
  readonly #spec: LiveSpec;
  /** Takes one snapshot after the other and numbers them in that order. */
  readonly #jobs = new SerialQueue();
  /** Other agents that have worked since the newest turn began, in any folder. */
  readonly #met = new Set<LiveConversation>();
  turn: TurnState = NO_TURN;
  cwd: string;
  label = '';
  /** The work tree; null until it is known, and outside of git. */
  root: string | null = null;
  #lastN = 0;
  /** The number of turns that an earlier core counted. */
  #earlierTurns = 0;
  /** The `begin` line of the newest turn. Its prompt may be read later. */
  #begin: SnapshotLine | null = null;
  #first: SnapshotLine | null = null;
  #last: SnapshotLine | null = null;

  constructor(spec: LiveSpec, cwd: string) {
    this.id = spec.id;
    this.terminalId = spec.terminalId;
    this.#spec = spec;
    this.cwd = cwd;
  }

  /** Continues where an earlier core stopped, and reads the work tree so that the first snapshot is fast. */
  load(): Promise<void> {
    return this.#jobs.run(async () => {
      this.root = (await findWorkTree(this.cwd))?.root ?? null;
      const lines = (await this.#spec.file).of(this.id);
      this.#lastN = lines.at(-1)?.n ?? 0;
      this.#first = lines.find(({ taken }) => taken !== null) ?? null;
      this.#last = lines.findLast(({ taken }) => taken !== null) ?? null;
      this.#earlierTurns = Math.max(0, ...lines.map((line) => line.turn));
      if (!this.turn.isOpen) await this.#spec.snapshots.warm(this.cwd);
    });
  }

  /** Notes that another agent works at the same time as this one. */
  meet(other: LiveConversation): void {
    if (other === this || !this.turn.isOpen || !other.turn.isOpen) return;
    this.#met.add(other);
    other.#met.add(this);
  }

  /** The number of the newest turn in the record. */
  get turnNumber(): number {
    return this.#earlierTurns + this.turn.turn;
  }

  /** Takes a snapshot for the turn as it is now, even if other snapshots come first. */
  snapshot(edge: 'begin' | 'end'): Promise<void> {
    const { turn, promptId, title } = this.turn;
    const met = [...this.#met];
    return this.#jobs.run(async () => {
      const about = { edge, turn: this.#earlierTurns + turn, promptId, title };
      const line = await this.#write(about, { met });
      if (edge === 'begin') this.#begin = line;
    });
  }

  /** Starts a turn, in which no other agent has worked yet. */
  meetNobody(): void {
    this.#met.clear();
  }

  /** Takes a snapshot before a file is restored. It includes the paths in `also` even if git ignores them. */
  keep(turn: number, also: readonly string[]): Promise<SnapshotLine> {
    return this.#jobs.run(() => this.#write({ edge: 'restore', turn, promptId: null, title: '' }, { also }));
  }

  /** Notes the prompt of the newest turn, which is known now. */
  rename(): Promise<void> {
    return this.#jobs.run(async () => {
      const { promptId, title } = this.turn;
      if (this.#begin?.turn !== this.turnNumber) return;
      this.#begin = { ...this.#begin, promptId, title };
      (await this.#spec.file).write(this.#begin);
      this.#spec.onWritten();
    });
  }

  idle(): Promise<void> {
    return this.#jobs.idle();
  }

  async #write(
    about: Pick<SnapshotLine, 'edge' | 'turn' | 'promptId' | 'title'>,
    { met = [], also = [] }: { met?: readonly LiveConversation[]; also?: readonly string[] },
  ): Promise<SnapshotLine> {
    const { snapshots, clock, file } = this.#spec;
    const n = this.#lastN + 1;
    this.#lastN = n;
    const atMs = clock.nowMs();
    const before = this.#last?.taken ?? null;
    const result = await snapshots.take(this.cwd, { conversationId: this.id, n, before, also });
    this.root = result.repository?.root ?? this.root;
    const line: SnapshotLine = {
      ...{ conversationId: this.id, n, atMs, cwd: this.cwd, ...about, ...result },
      others: met.filter(({ root }) => root !== null && root === this.root).map(({ label }) => label),
      files: await this.#count(result),
    };
    if (snapshots.isEnded) return line; // the core stopped git, so its fault says nothing about the folder
    (await file).write(line);
    if (line.taken) {
      this.#first ??= line;
      this.#last = line;
    }
    this.#spec.onWritten();
    return line;
  }

  async #count({ taken, repository }: SnapshotResult): Promise<number | null> {
    const first = this.#first?.taken;
    if (!taken || !repository) return null;
    if (!first || first.tree === taken.tree) return 0;
    try {
      const files = await readDiff(await this.#spec.snapshots.reader(repository), first.commit, taken.commit);
      return files.length;
    } catch {
      return null; // the first snapshot was removed, or belongs to another repository
    }
  }
}
