import { type FoldedScreen, foldDeltas } from '../../contract/screen/foldDelta.ts';
import type { ScreenQuery, ScreenReading, SeqMismatch, WaitQuery, WaitResult } from '../../contract/screen/screen.ts';
import { redactRows } from '../../redaction/redactRows.ts';
import { GONE, judgeStanding } from '../../screen/waits/judgeStanding.ts';
import type { ScreenHandle } from '../../screen/worker/ScreenHandle.ts';
import { type DeltaPage, readDeltas, readDeltasBefore, type ScreenMoment } from '../../store/record/readScreenFile.ts';
import { SessionFolder } from '../../store/record/SessionFolder.ts';
import { readPersisted, readPersistedAt } from './persistedReading.ts';
import { readLastScreen } from './persistedScreen.ts';

/** Queries to a live screen. */
export type LiveScreen = Pick<ScreenHandle, 'read' | 'wait'>;

/**
 * The screens of all recorded terminals: from the emulator if open, otherwise from the files. Works without a core
 * if `live` returns none. Null for a terminal without a record.
 */
export class ScreenReader {
  readonly #dataFolder: string;
  readonly #live: (terminalId: string) => LiveScreen | undefined;
  #waits = 0;

  constructor(dataFolder: string, live: (terminalId: string) => LiveScreen | undefined = () => undefined) {
    this.#dataFolder = dataFolder;
    this.#live = live;
  }

  /** Number of current waits on all screens. */
  get waits(): number {
    return this.#waits;
  }

  async read(terminalId: string, query: ScreenQuery): Promise<ScreenReading | SeqMismatch | null> {
    const live = this.#live(terminalId)?.read(query);
    if (!live) return readPersisted(this.#folder(terminalId), query);
    return live.catch(async (error: unknown) => {
      // The screen was closed meanwhile, or has no emulator: its last content is in the files.
      const last = await readPersisted(this.#folder(terminalId), query);
      if (last) return last;
      throw error;
    });
  }

  /** Waits on a screen. One that is not live no longer changes, so the wait is judged at once on its text. */
  async wait(terminalId: string, query: WaitQuery, signal?: AbortSignal): Promise<WaitResult | SeqMismatch | null> {
    const screen = this.#live(terminalId);
    const result = screen ? await this.#counted(screen.wait(query, signal)) : GONE;
    if ('error' in result || result.outcome !== 'gone') return result;
    const folder = this.#folder(terminalId);
    const reading = await readPersisted(folder, query);
    if (!reading || 'error' in reading) return screen ? result : reading;
    const standing = await readLastScreen(folder);
    const verdict = standing && judgeStanding(query, { frame: standing.frame, above: standing.scrollback }, redactRows);
    return { ...result, ...verdict, reading };
  }

  /** The recorded deltas from `cursor` on. A live terminal is at most 0.1 s ahead of them. */
  deltas(terminalId: string, cursor: number | 'end', limit: number): Promise<DeltaPage> {
    return readDeltas(this.#folder(terminalId).screenJsonl, cursor, limit);
  }

  /** The screen at the beginning of a page of deltas; null if unknown. */
  async before(terminalId: string, cursor: number): Promise<FoldedScreen | null> {
    return foldDeltas(await readDeltasBefore(this.#folder(terminalId).screenJsonl, cursor));
  }

  /** The screen at a moment, to 0.1 s, also of a live terminal. */
  at(terminalId: string, moment: ScreenMoment): Promise<ScreenReading | null> {
    return readPersistedAt(this.#folder(terminalId), moment);
  }

  async #counted<T>(wait: Promise<T>): Promise<T> {
    this.#waits += 1;
    try {
      return await wait;
    } finally {
      this.#waits -= 1;
    }
  }

  #folder(terminalId: string): SessionFolder {
    return new SessionFolder(this.#dataFolder, terminalId);
  }
}
