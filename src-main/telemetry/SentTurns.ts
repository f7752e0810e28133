import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TelemetryFile } from '../contract/telemetry.ts';
import { replaceFile } from '../store/files/replaceFile.ts';
import { readOwnFile } from './readOwnFile.ts';
import type { Turn } from './turnsOf.ts';

/** At most this many conversations are stored one by one. For older ones, `floorMs` replaces their entries. */
const MOST_KEPT = 2_000;
const KEPT_AFTER_PRUNE = 1_500;

/**
 * telemetry/state.json: the time when telemetry was turned on, and the turns that were queued. It is written after a turn is in the queue. After a crash
 * in between, the turn is queued again with the same ids.
 */
export class SentTurns {
  readonly #folder: string;
  #file: TelemetryFile;

  private constructor(folder: string, file: TelemetryFile) {
    this.#folder = folder;
    this.#file = file;
  }

  /** Reads the file. `note` says that it could not be used. */
  static async open(folder: string, instanceId: string): Promise<{ sent: SentTurns; note: string | null }> {
    const { value, fault } = await readOwnFile(join(folder, 'state.json'), TelemetryFile);
    const fresh: TelemetryFile = { version: 1, instanceId, sinceMs: null, floorMs: 0, checkedMs: 0, sent: {} };
    const note =
      fault === null
        ? null
        : `The list of turns that telemetry sent could not be read (${fault}). Turns are sent from now on.`;
    return { sent: new SentTurns(folder, value ?? fresh), note };
  }

  get instanceId(): string {
    return this.#file.instanceId;
  }

  get sinceMs(): number | null {
    return this.#file.sinceMs;
  }

  /** Notes the time when telemetry was turned on, and keeps an earlier time. Null turns it off and clears the list. */
  async setSince(sinceMs: number | null): Promise<void> {
    if ((this.#file.sinceMs === null) === (sinceMs === null)) return;
    await this.#replace({ ...this.#file, sinceMs, floorMs: 0, checkedMs: sinceMs ?? 0, sent: {} });
  }

  /** True if the turn ended while telemetry was on and was not queued yet, or not with all its messages. */
  isDue(turn: Turn): boolean {
    const { sinceMs, floorMs, sent } = this.#file;
    if (sinceMs === null || !turn.isOver || turn.endMs < sinceMs) return false;
    const known = sent[keyOf(turn)];
    if (!known) return turn.endMs >= floorMs;
    return turn.order > known.order || (turn.order === known.order && turn.messages.length > known.messages);
  }

  /** Notes that every turn that ended before `atMs` is in the queue. The next change writes it to disk. */
  checked(atMs: number): void {
    this.#file = { ...this.#file, checkedMs: atMs };
  }

  get checkedMs(): number {
    return this.#file.checkedMs;
  }

  /** Notes turns that are in the queue or must never be. Only the newest turn of each conversation is stored. */
  async note(turns: readonly Turn[]): Promise<void> {
    if (this.#file.sinceMs === null || turns.length === 0) return;
    const sent = { ...this.#file.sent };
    for (const turn of turns) {
      const known = sent[keyOf(turn)];
      const { order, messages, endMs } = turn;
      if (!known || order >= known.order) sent[keyOf(turn)] = { order, messages: messages.length, endMs };
    }
    await this.#replace(pruned({ ...this.#file, sent }));
  }

  async #replace(file: TelemetryFile): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await replaceFile(join(this.#folder, 'state.json'), `${JSON.stringify(file)}\n`);
    this.#file = file;
  }
}

function pruned(file: TelemetryFile): TelemetryFile {
  const all = Object.entries(file.sent).sort(([, a], [, b]) => a.endMs - b.endMs);
  if (all.length <= MOST_KEPT) return file;
  const dropped = all.slice(0, all.length - KEPT_AFTER_PRUNE);
  const lastMs = dropped.at(-1)?.[1].endMs ?? 0;
  return { ...file, floorMs: Math.max(file.floorMs, lastMs + 1), sent: Object.fromEntries(all.slice(dropped.length)) };
}

function keyOf({ conversation: { terminalId, id } }: Turn): string {
  return `${terminalId}/${id}`;
}
