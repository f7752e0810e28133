import type { Rpc } from '../rpc/Rpc.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';
import { type CommandWord, commandWords } from './commandWords.ts';

/** Pause in typing before words are checked: an unfinished word is not a mistake. */
const LOOK_AFTER_MS = 500;
/** Most parts of a pipeline that are checked. */
const MAX_WORDS = 10;

interface Found {
  text: string;
  blockId: string | undefined;
  words: readonly CommandWord[];
}

const NOTHING: Found = { text: '', blockId: undefined, words: [] };

/** Words of the draft that are not commands, as far as the shell allows to know. Typing never waits for it. */
export class UnknownWords {
  readonly #rpc: Rpc;
  readonly #terminal: TerminalState;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Words of the last checked text, and the newest block at that time, because a command may define another one. */
  #found = $state.raw<Found>(NOTHING);

  constructor(rpc: Rpc, terminal: TerminalState) {
    this.#rpc = rpc;
    this.#terminal = terminal;
  }

  /** Empty while the draft differs from the checked text. */
  get words(): readonly CommandWord[] {
    const { draft, draftedFor, lastBlock } = this.#terminal;
    const { text, blockId, words } = this.#found;
    return draft === text && draftedFor === null && lastBlock?.id === blockId ? words : NOTHING.words;
  }

  typed(): void {
    clearTimeout(this.#timer);
    this.#found = NOTHING;
    const { draft, draftedFor } = this.#terminal;
    if (draft.trim() === '' || draftedFor !== null) return;
    // A failed request underlines nothing.
    this.#timer = setTimeout(() => void this.#look(draft).catch(() => undefined), LOOK_AFTER_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  async #look(text: string): Promise<void> {
    const blockId = this.#terminal.lastBlock?.id;
    const words = commandWords(text).slice(0, MAX_WORDS);
    const known = await Promise.all(words.map(({ word }) => this.#isCommand(word)));
    if (this.#terminal.draft !== text) return;
    this.#found = { text, blockId, words: words.filter((_, at) => known[at] === false) };
  }

  #isCommand(word: string): Promise<boolean | null> {
    return this.#rpc.complete.isCommand({ terminalId: this.#terminal.id, word });
  }
}
