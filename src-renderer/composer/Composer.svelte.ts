import type { LineCompletion } from '../../src-main/contract/completion.ts';
import { onMachineOf } from '../machines/Machines.svelte.ts';
import type { Rpc } from '../rpc/Rpc.ts';
import { slashQuery } from '../savedCommands/matchSaved.ts';
import type { Saved } from '../savedCommands/Saved.svelte.ts';
import { type OfferedChoice, savedChoices } from '../savedCommands/savedChoices.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';
import { choiceEdit, commonStart, isWorthShowing, narrowed } from './choiceEdit.ts';
import type { EditorMode, FieldView } from './editor/LineEditor.ts';
import { findWalk, foldKeys, type Piece } from './foldKeys.ts';
import { GhostText } from './GhostText.svelte.ts';
import type { Edit } from './line/composerKeys.ts';
import { HistoryWalk } from './line/HistoryWalk.ts';
import { LastWords } from './line/LastWords.ts';
import { wordBefore } from './line/lineWords.ts';
import { UnknownWords } from './UnknownWords.svelte.ts';

/** As far back as ↑ goes; Ctrl+R finds what is older. */
const WALK_LIMIT = 500;
/** A pause in typing after which choices come by themselves. */
const SUGGEST_AFTER_MS = 120;
/** Longer texts were pasted, and are not completed while typing. */
const MAX_SUGGESTED = 10_000;
/** Keys after ↑ are held at most this long. A request waits for a lost connection; keys that the person cannot see must not. */
const MAX_HOLD_MS = 1000;
const LETTER = /\p{L}/u;

/** What the window knows of a terminal besides its state. */
export interface ComposerSources {
  /** Root of its project; null when it is not known. */
  project(): string | null;
  saved?: Saved;
}

interface Offered extends LineCompletion {
  choices: OfferedChoice[];
}

interface Held {
  /** What was typed behind it before it began. */
  then?: readonly Piece[];
  type(pieces: readonly Piece[]): void;
}

interface WalkEnds extends Held {
  show(text: string): void;
}

/** The command editor of one tab: its text is the tab's draft; this holds what is offered and the way through history. */
export class Composer {
  readonly #rpc: Rpc;
  readonly #terminal: TerminalState;
  readonly ghost: GhostText;
  readonly unknown: UnknownWords;
  #walk: HistoryWalk | undefined;
  readonly #saved: Saved | undefined;
  #offered = $state.raw<Offered>();
  #suggesting: ReturnType<typeof setTimeout> | undefined;
  /** What was typed since something is being looked up; null while nothing is. */
  #held: Piece[] | null = null;
  /** Counts what the person does: an answer to something older comes too late. */
  #step = 0;
  /** −1: the choices came by themselves, and the person has not gone into them. */
  chosenAt = $state(-1);
  /** Vim's mode; null without Vim's keys. */
  mode = $state<EditorMode | null>(null);
  readonly lastWords = new LastWords(() => this.#commands(''));
  /** The placeholder of a saved command that is being filled in. */
  field = $state.raw<FieldView | null>(null);

  constructor(rpc: Rpc, terminal: TerminalState, { project, saved }: ComposerSources = { project: () => null }) {
    this.#rpc = rpc;
    this.#terminal = terminal;
    this.#saved = saved;
    this.ghost = new GhostText(rpc, terminal, project);
    this.unknown = new UnknownWords(rpc, terminal);
  }

  get choices(): readonly OfferedChoice[] {
    return this.#offered?.choices ?? [];
  }

  /** Whether placeholders are being filled in, and all of them are. */
  get fields(): 'open' | 'filled' | undefined {
    if (!this.field) return undefined;
    return this.field.open ? 'open' : 'filled';
  }

  /** They came by themselves: Return still sends the line. */
  get isUnasked(): boolean {
    return this.chosenAt < 0;
  }

  /** The line is sent. */
  sent(): void {
    this.#walk = undefined;
    this.ghost.clear(); // the line that was sent is the newest now
    this.closeChoices();
  }

  /** The person changed the text: the walk through history restarts, and only choices that still match remain. */
  typed(text: string, caret: number): void {
    this.#walk = undefined;
    const isInWord = LETTER.test(wordBefore(text, caret));
    const left = this.#offered && isInWord ? narrowed(this.#offered, text, caret) : undefined;
    const saved = this.#savedFor(text);
    this.closeChoices();
    if (saved.length > 0)
      this.#offer({ from: 0, to: text.length, ...left, choices: [...saved, ...(left?.choices ?? [])] }, -1);
    else if (left && isWorthShowing(text, left)) this.#offer(left, -1);
    if (text === '/') void this.readSaved();
  }

  /** Reads the saved commands and offers them, if the line still asks for them. */
  async readSaved(): Promise<void> {
    const step = this.#step;
    await this.#saved?.load().catch(() => undefined); // what was read before is offered already
    if (step !== this.#step) return;
    const text = this.#terminal.draft;
    const choices = this.#savedFor(text);
    if (choices.length > 0) this.#offer({ from: 0, to: text.length, choices }, -1);
  }

  /** The text of a saved command is in the line now. */
  filled(): void {
    this.ghost.clear();
    this.closeChoices();
  }

  /** Offers what fits at the caret once the person pauses. Typing never waits for it. */
  suggest(text: string, caret: number): void {
    const isForShell = this.#terminal.draftedFor === null;
    if (!isForShell || text.length > MAX_SUGGESTED || !LETTER.test(wordBefore(text, caret))) return;
    const step = this.#step;
    this.#suggesting = setTimeout(async () => {
      // Without an answer there is nothing to offer, and Tab says why.
      const found = await this.#find(text, caret).catch(() => undefined);
      if (step !== this.#step || this.#terminal.draft !== text) return;
      const saved = this.#savedFor(text);
      if (saved.length > 0)
        this.#offer({ from: 0, to: text.length, ...found, choices: [...saved, ...(found?.choices ?? [])] }, -1);
      else if (found && isWorthShowing(text, found)) this.#offer(found, -1);
      else this.closeChoices();
    }, SUGGEST_AFTER_MS);
  }

  /** True when a key waits for what is being looked up, which it acts on. */
  keeps(piece: Piece): boolean {
    this.#held?.push(piece);
    return this.#held !== null;
  }

  /** A step through the history. */
  walk(by: 'older' | 'newer', { show, ...held }: WalkEnds): Promise<void> {
    const { draft } = this.#terminal;
    return this.hold(held, async () => {
      const text = by === 'older' ? await this.older() : this.newer();
      if (this.#terminal.draft !== draft) this.#walk = undefined;
      else if (text !== undefined) show(text);
    });
  }

  /** Looks something up for the line; `then`, and what is typed until it is done, is given to `type` behind it, or before it where it takes too long. */
  async hold({ then = [], type }: Held, lookUp: () => Promise<void>): Promise<void> {
    const held = [...then];
    this.#held = held;
    let isHeld = true;
    const give = () => {
      if (!isHeld) return;
      isHeld = false;
      if (this.#held === held) this.#held = null;
      const { draft } = this.#terminal;
      if (foldKeys(draft, findWalk(held)?.before ?? held).text !== draft) this.#walk = undefined; // as in `typed`
      type(held);
    };
    const timer = setTimeout(give, MAX_HOLD_MS);
    try {
      await lookUp();
    } finally {
      clearTimeout(timer);
      give();
    }
  }

  async older(): Promise<string | undefined> {
    this.closeChoices();
    const typed = this.#terminal.draft;
    this.#walk ??= new HistoryWalk(await this.#commands(typed), typed);
    const older = this.#walk.older();
    if (older === undefined && !this.#walk.isUnderWay) this.#walk = undefined; // right after a start the record is still being read
    return older;
  }

  newer(): string | undefined {
    this.closeChoices();
    return this.#walk?.newer();
  }

  /** Inserts with `apply` what all choices have in common, and offers the choices if there are several. */
  async complete(text: string, caret: number, apply: (edit: Edit) => void): Promise<void> {
    this.#act();
    const step = this.#step;
    if (text.slice(0, caret).trim() === '') return; // every program there is would be no help
    const found = await this.#find(text, caret);
    if (step !== this.#step || this.#terminal.draft !== text) return;
    const [only] = found.choices;
    const saved = this.#savedFor(text);
    if (!only) return saved.length > 0 ? this.#offer({ ...found, choices: saved }, 0) : this.closeChoices();
    if (found.choices.length === 1) return apply(choiceEdit(found, only));
    const common = commonStart(text, found);
    if (common === undefined) return this.#offer(found, 0);
    const { from, to } = found;
    apply({ from, to, insert: common });
    const caretNow = from + common.length;
    const left = narrowed(found, text.slice(0, from) + common, caretNow);
    if (left) this.#offer(left, 0); // the edit counts as typing, which takes offers away
  }

  step(by: 1 | -1): void {
    this.#act();
    const { length } = this.choices;
    const first = by > 0 ? 0 : length - 1;
    this.chosenAt = this.isUnasked ? first : (this.chosenAt + by + length) % length;
  }

  take(at = this.chosenAt): Edit | undefined {
    const offered = this.#offered;
    const choice = offered?.choices[at];
    this.closeChoices();
    return offered && choice && choiceEdit(offered, choice);
  }

  closeChoices(): void {
    this.#act();
    this.#offered = undefined;
    this.chosenAt = -1;
  }

  /** What a line that begins with `/` may be looking for. */
  #savedFor(text: string): OfferedChoice[] {
    const query = this.#terminal.draftedFor === null ? slashQuery(text) : null;
    return query === null || !this.#saved ? [] : savedChoices(this.#saved, query, this.#terminal.view.shell);
  }

  #offer(completion: Offered, chosenAt: number): void {
    this.#act();
    this.#offered = completion;
    this.chosenAt = chosenAt;
  }

  #act(): void {
    this.#step += 1;
    clearTimeout(this.#suggesting);
  }

  #find(text: string, caret: number): Promise<LineCompletion> {
    return this.#rpc.complete.line({ terminalId: this.#terminal.id, text, caret });
  }

  async #commands(prefix: string): Promise<string[]> {
    const entries = await this.#rpc.history.startingWith({
      ...onMachineOf(this.#terminal.id),
      prefix,
      limit: WALK_LIMIT,
    });
    return entries.map(({ cmd }) => cmd);
  }
}
