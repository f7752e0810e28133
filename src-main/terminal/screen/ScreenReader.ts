import { type FoldedScreen, foldDeltas } from '../../contract/screen/foldDelta.ts';
import type { ScreenQuery, ScreenReading, SeqMismatch, WaitQuery, WaitResult } from '../../contract/screen/screen.ts';
import { redactRows } from '../../redaction/redactRows.ts';
import { GONE, judgeStanding } from '../../screen/waits/judgeStanding.ts';
import type { ScreenHandle } from '../../screen/worker/ScreenHandle.ts';
import { type DeltaPage, readDeltas, readDeltasBefore, type ScreenMoment } from '../../store/record/readScreenFile.ts';
import { SessionFolder } from '../../store/record/SessionFolder.ts';
import { readPersisted, readPersistedAt } from './persistedReading.ts';
import { readLastScreen } from './persistedScreen.ts';

/** What can be asked of a screen that is there. */
export type LiveScreen = Pick<ScreenHandle, 'read' | 'wait'>;

/**
 * The screens of all recorded terminals: from the emulator of those that are open, from the files of the others. Needs no core
 * when `live` knows none. A terminal of which nothing is recorded gives null.
 */
export class ScreenReader {
  readonly #dataFolder: string;
  readonly #live: (terminalId: string) => LiveScreen | undefined;
  #waits = 0;

  constructor(dataFolder: string, live: (terminalId: string) => LiveScreen | undefined = () => undefined) {
    this.#dataFolder = dataFolder;
    this.#live = live;
  }

  /** How many wait at this moment, on all screens. */
  get waits(): number {
    return this.#waits;
  }

  async read(terminalId: string, query: ScreenQuery): Promise<ScreenReading | SeqMismatch | null> {
    const live = this.#live(terminalId)?.read(query);
    if (!live) return readPersisted(this.#folder(terminalId), query);
    return live.catch(async (error: unknown) => {
      // Closed meanwhile, or no emulator can be had: what it showed last is in the files.
      const last = await readPersisted(this.#folder(terminalId), query);
      if (last) return last;
      throw error;
    });
  }

  /** A screen that is not live no longer changes, so the wait is judged at once on its text. */
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

  /** The recorded deltas from `cursor` on. Those of a live terminal are at most a tenth of a second behind it. */
  deltas(terminalId: string, cursor: number | 'end', limit: number): Promise<DeltaPage> {
    return readDeltas(this.#folder(terminalId).screenJsonl, cursor, limit);
  }

  /** The screen as it was where a page of deltas begins; null where nothing tells. */
  async before(terminalId: string, cursor: number): Promise<FoldedScreen | null> {
    return foldDeltas(await readDeltasBefore(this.#folder(terminalId).screenJsonl, cursor));
  }

  /** What the screen showed at a moment, to a tenth of a second, also of a live terminal. */
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
