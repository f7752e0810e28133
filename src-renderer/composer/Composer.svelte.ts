import type { Rpc } from '../rpc/Rpc.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';
import type { CompletionKind } from './completion.ts';
import { type CompletionPlace, commonStart, completionPlace, finishedWord, quoteWord } from './completion.ts';
import type { Edit } from './composerKeys.ts';
import { HistoryWalk } from './HistoryWalk.ts';

/** As far back as ↑ goes; Ctrl+R finds what is older. */
const WALK_LIMIT = 500;
/** As many choices as a person reads through. */
const MAX_CHOICES = 50;

/** The command editor of one tab: its text is the tab's draft; this holds what is offered and the way through history. */
export class Composer {
  readonly #rpc: Rpc;
  readonly #terminal: TerminalState;
  #walk: HistoryWalk | undefined;
  #place: CompletionPlace | undefined;
  choices = $state.raw<readonly string[]>([]);
  chosenAt = $state(0);
  /** The search through history is open. */
  isSearching = $state(false);

  constructor(rpc: Rpc, terminal: TerminalState) {
    this.#rpc = rpc;
    this.#terminal = terminal;
  }

  /** The person typed: the walk starts anew from there and old offers are gone. */
  typed(): void {
    this.#walk = undefined;
    this.closeChoices();
  }

  async older(): Promise<string | undefined> {
    const typed = this.#terminal.draft;
    this.#walk ??= new HistoryWalk(await this.#commands(typed), typed);
    const older = this.#walk.older();
    if (older === undefined && !this.#walk.isUnderWay) this.#walk = undefined; // right after a start the record is still being read
    return older;
  }

  newer(): string | undefined {
    return this.#walk?.newer();
  }

  /** What can be put in at once; more than one possibility is offered in `choices`. */
  async complete(text: string, caret: number): Promise<Edit | undefined> {
    const place = completionPlace(text, caret);
    const found = await this.#find(place);
    const isStale = this.#terminal.draft !== text;
    if (isStale || found.length === 0) return undefined;
    this.#place = place;
    const [only] = found;
    if (found.length === 1 && only !== undefined) return this.#edit(finishedWord(only, place.quote));
    const common = commonStart(found);
    this.choices = found;
    this.chosenAt = 0;
    if (common.length <= place.word.length || !common.startsWith(place.word)) return undefined;
    const edit = this.#edit(quoteWord(common, place.quote));
    this.#place = { ...place, word: common, to: edit.from + edit.insert.length };
    return edit;
  }

  step(by: number): void {
    this.chosenAt = (this.chosenAt + by + this.choices.length) % this.choices.length;
  }

  take(at = this.chosenAt): Edit | undefined {
    const choice = this.choices[at];
    const place = this.#place;
    this.closeChoices();
    return choice === undefined || !place
      ? undefined
      : { from: place.from, to: place.to, insert: finishedWord(choice, place.quote) };
  }

  closeChoices(): void {
    if (this.choices.length > 0) this.choices = [];
  }

  #edit(insert: string): Edit {
    return { from: this.#place?.from ?? 0, to: this.#place?.to ?? 0, insert };
  }

  async #find({ kinds, word }: CompletionPlace): Promise<string[]> {
    if (word === '' && kinds.includes('commands')) return []; // every program there is would be no help
    const ask = (kind: CompletionKind) => this.#rpc.complete[kind]({ terminalId: this.#terminal.id, word });
    const answers = await Promise.all(kinds.map(ask));
    return [...new Set(answers.flat())].slice(0, MAX_CHOICES);
  }

  async #commands(prefix: string): Promise<string[]> {
    const entries = await this.#rpc.history.startingWith({ prefix, limit: WALK_LIMIT });
    return entries.map(({ cmd }) => cmd);
  }
}
