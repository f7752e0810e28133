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

/** Number of commands that ↑ walks through; Ctrl+R finds older ones. */
const WALK_LIMIT = 500;
/** Pause in typing before suggestions appear. */
const SUGGEST_AFTER_MS = 120;
/** Longer texts were pasted, and get no suggestions. */
const MAX_SUGGESTED = 10_000;
/** Longest time that keys after ↑ are held. A request waits for a lost connection, but keys that the person cannot see must not. */
const MAX_HOLD_MS = 1000;
const LETTER = /\p{L}/u;

/** What the window knows of a terminal apart from its state. */
export interface ComposerSources {
  /** Root of its project; null if it is unknown. */
  project(): string | null;
  saved?: Saved;
}

interface Offered extends LineCompletion {
  choices: OfferedChoice[];
}

interface Held {
  /** Keys that were typed after the request, before it began. */
  then?: readonly Piece[];
  type(pieces: readonly Piece[]): void;
}

interface WalkEnds extends Held {
  show(text: string): void;
}

/** The command editor of one tab. The text is the tab's draft; this class holds the choices and the walk through history. */
export class Composer {
  readonly #rpc: Rpc;
  readonly #terminal: TerminalState;
  readonly ghost: GhostText;
  readonly unknown: UnknownWords;
  #walk: HistoryWalk | undefined;
  readonly #saved: Saved | undefined;
  #offered = $state.raw<Offered>();
  #suggesting: ReturnType<typeof setTimeout> | undefined;
  /** Keys typed since a lookup began; null without a lookup. */
  #held: { readonly pieces: Piece[]; readonly given: Promise<void> } | null = null;
  /** Counts the person's actions, so that an answer to an earlier one is dropped. */
  #step = 0;
  /** −1: the choices opened while typing, and the person has not selected one. */
  chosenAt = $state(-1);
  /** Vim's mode; null without Vim keys. */
  mode = $state<EditorMode | null>(null);
  readonly lastWords = new LastWords(() => this.#commands(''));
  /** The placeholder of a saved command that the person is filling in. */
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

  /** State of the placeholders: some open, or all filled; undefined without placeholders. */
  get fields(): 'open' | 'filled' | undefined {
    if (!this.field) return undefined;
    return this.field.open ? 'open' : 'filled';
  }

  /** The choices opened while typing, so Return still sends the line. */
  get isUnasked(): boolean {
    return this.chosenAt < 0;
  }

  /** Call when the line was sent. */
  sent(): void {
    this.#walk = undefined;
    this.ghost.clear(); // the newest command is now the line that was sent
    this.closeChoices();
  }

  /** Call when the person changed the text: resets the walk through history, and keeps only choices that still match. */
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

  /** Loads the saved commands and offers them, if the line still asks for them. */
  async readSaved(): Promise<void> {
    const step = this.#step;
    await this.#saved?.load().catch(() => undefined); // commands that were loaded before are offered already
    if (step !== this.#step) return;
    const text = this.#terminal.draft;
    const choices = this.#savedFor(text);
    if (choices.length > 0) this.#offer({ from: 0, to: text.length, choices }, -1);
  }

  /** Call when the text of a saved command was put into the line. */
  filled(): void {
    this.ghost.clear();
    this.closeChoices();
  }

  /** Offers completions at the caret once the person pauses. Typing never waits for it. */
  suggest(text: string, caret: number): void {
    const isForShell = this.#terminal.draftedFor === null;
    if (!isForShell || text.length > MAX_SUGGESTED || !LETTER.test(wordBefore(text, caret))) return;
    const step = this.#step;
    this.#suggesting = setTimeout(async () => {
      // If the request fails, no choices appear, and Tab shows why.
      const found = await this.#find(text, caret).catch(() => undefined);
      if (step !== this.#step || this.#terminal.draft !== text) return;
      const saved = this.#savedFor(text);
      if (saved.length > 0)
        this.#offer({ from: 0, to: text.length, ...found, choices: [...saved, ...(found?.choices ?? [])] }, -1);
      else if (found && isWorthShowing(text, found)) this.#offer(found, -1);
      else this.closeChoices();
    }, SUGGEST_AFTER_MS);
  }

  /** Ends when the keys typed during a lookup for the line are in it; null without a lookup. Never rejects. */
  get lookup(): Promise<void> | null {
    return this.#held?.given ?? null;
  }

  /** Holds the key while a lookup for the line is running; true if it did. */
  keeps(piece: Piece): boolean {
    this.#held?.pieces.push(piece);
    return this.#held !== null;
  }

  /** One step through the history. */
  walk(by: 'older' | 'newer', { show, ...held }: WalkEnds): Promise<void> {
    const { draft } = this.#terminal;
    return this.hold(held, async () => {
      const text = by === 'older' ? await this.older() : this.newer();
      if (this.#terminal.draft !== draft) this.#walk = undefined;
      else if (text !== undefined) show(text);
    });
  }

  /** Runs a lookup for the line. Passes `then` and the keys typed meanwhile to `type` after it, or earlier if it takes too long. */
  async hold({ then = [], type }: Held, lookUp: () => Promise<void>): Promise<void> {
    const { promise: given, resolve } = Promise.withResolvers<void>();
    const held = { pieces: [...then], given };
    this.#held = held;
    let isHeld = true;
    const give = () => {
      if (!isHeld) return;
      isHeld = false;
      if (this.#held === held) this.#held = null;
      const { draft } = this.#terminal;
      const { pieces } = held;
      if (foldKeys(draft, findWalk(pieces)?.before ?? pieces).text !== draft) this.#walk = undefined; // as in `typed`
      type(pieces);
      resolve();
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
    if (older === undefined && !this.#walk.isUnderWay) this.#walk = undefined; // right after a start the record is still loading
    return older;
  }

  newer(): string | undefined {
    this.closeChoices();
    return this.#walk?.newer();
  }

  /** Inserts the common start of all choices with `apply`, and offers the choices if there are several. */
  async complete(text: string, caret: number, apply: (edit: Edit) => void): Promise<void> {
    this.#act();
    const step = this.#step;
    if (text.slice(0, caret).trim() === '') return; // a list of every program would not help
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
    if (left) this.#offer(left, 0); // the edit counts as typing, which closes the choices
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

  /** Saved commands that match a line that begins with `/`. */
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
