import type { ChatLine } from '../../contract/chat/chat.ts';
import type { ChatSnapshot, Extraction, IExtractor, ScreenStep } from '../../contract/chat/extractor.ts';
import { withDialog } from './dialog/withDialog.ts';
import { inputLine } from './inputLine.ts';
import { withCutShort } from './merge/cutShort.ts';
import { DrawnSize } from './merge/DrawnSize.ts';
import { withDoubts } from './merge/doubts.ts';
import type { Moment } from './merge/Moment.ts';
import { RowTimeline } from './merge/RowTimeline.ts';
import type { ChatBeginning, PtyChatSession } from './PtyChatSession.ts';
import { withScreenState } from './status/withScreenState.ts';

/** Confidence from which a recognised screen decides which agent it is; below it, each step may. */
const SURE = 0.9;

/** Chooses the extractor that reads a snapshot, given a name from elsewhere, for example from the process tree. */
export interface ExtractorChoice {
  choose(snapshot: ChatSnapshot, hint?: string): IExtractor;
  byName(name: string): IExtractor | null;
}

export interface ExtractorRun extends Omit<ChatBeginning, 'agent'> {
  /** Name of the expected extractor. If absent, only the screen shows the agent. */
  readonly hint?: string;
}

/**
 * One agent's run in a terminal, from its screens to the lines of the log: assembles the rows, has the extractor read them, and merges the
 * result. Created for one run and dropped after `end`; the session outlives it.
 */
export class PtyChatSnapshotExtractor {
  readonly #session: PtyChatSession;
  readonly #choice: ExtractorChoice;
  readonly #hint: string | undefined;
  #extractor: IExtractor | null = null;
  #isSure = false;
  #tape = new RowTimeline();
  readonly #size = new DrawnSize();
  #lastAt: number | undefined;
  #last: Extraction | null = null;
  #isEnded = false;

  constructor(session: PtyChatSession, choice: ExtractorChoice, hint?: string) {
    this.#session = session;
    this.#choice = choice;
    this.#hint = hint;
  }

  /** The extractor that reads the screens now; null before the first step of an agent without a name. */
  get extractor(): IExtractor | null {
    return this.#extractor;
  }

  /** The extraction of the last snapshot: state, evidence, draft, whether something covers the conversation. */
  get last(): Extraction | null {
    return this.#last;
  }

  /** See `inputLine`. */
  get draft(): string | undefined {
    return this.#last ? inputLine(this.#last) : undefined;
  }

  begin({ hint: _, ...beginning }: ExtractorRun): ChatLine[] {
    const named = this.#hint === undefined ? null : this.#choice.byName(this.#hint);
    this.#use(named);
    this.#lastAt = beginning.at;
    return this.#session.begin({ ...beginning, agent: named?.name ?? this.#hint ?? '' });
  }

  /** Returns the lines that a step adds to the log. `actor`: whose keys ask now. */
  take(step: ScreenStep, actor?: string): ChatLine[] {
    if (this.#isEnded) return [];
    if (!this.#size.fits(step)) {
      this.#tape.skip();
      return [];
    }
    let snapshot = this.#tape.take(step);
    const chosen = this.#choose(snapshot);
    if (chosen !== this.#extractor) {
      const isShaped = chosen.body !== undefined || chosen.mask !== undefined;
      this.#use(chosen, isShaped ? undefined : this.#tape);
      if (isShaped) snapshot = this.#tape.take(step);
    }
    const extraction = this.#withResumeId(
      withCutShort(withDoubts(withScreenState(withDialog(chosen.extract(snapshot), snapshot), chosen, step), snapshot)),
    );
    this.#tape.settle(extraction.isCovered);
    this.#last = extraction;
    const named = this.#isSure ? this.#session.identified(chosen.name) : [];
    const lines = this.#session.updateFromSnapshot(extraction, {
      at: step.at,
      ...(this.#lastAt !== undefined && { fromAt: this.#lastAt }),
      atMs: step.atMs,
      seq: step.seq,
      extractor: chosen.name,
      extractorVersion: chosen.version,
      ...(actor !== undefined && { actor }),
    });
    this.#lastAt = step.at;
    return [...named, ...lines];
  }

  /** The agent has ended. Its id for resuming is the one it showed, unless `moment` has one. */
  end(moment: Moment & { resumeId?: string }): ChatLine[] {
    if (this.#isEnded) return [];
    this.#isEnded = true;
    const resumeId = moment.resumeId ?? this.#last?.resumeId;
    return this.#session.end({ ...moment, ...(resumeId !== undefined && { resumeId }) });
  }

  /** A program that exits may erase its last lines or redraw only some of them, so the first id that was read is kept. */
  #withResumeId(extraction: Extraction): Extraction {
    const { state, resumeId = this.#last?.resumeId } = extraction;
    const isLeft = state === 'exited' || state === 'unknown';
    return isLeft && resumeId !== undefined ? { ...extraction, resumeId } : extraction;
  }

  #choose(snapshot: ChatSnapshot): IExtractor {
    if (this.#isSure && this.#extractor) return this.#extractor;
    const chosen = this.#choice.choose(snapshot, this.#hint);
    this.#isSure = chosen.recognise(snapshot) >= SURE;
    return chosen;
  }

  #use(extractor: IExtractor | null, tape?: RowTimeline): void {
    this.#extractor = extractor;
    const { body, mask } = extractor ?? {};
    this.#tape = tape ?? new RowTimeline({ ...(body && { body }), ...(mask && { mask }) });
  }
}
