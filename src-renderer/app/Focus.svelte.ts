import { SvelteMap } from 'svelte/reactivity';
import type { Piece } from '../composer/foldKeys.ts';
import type { Stop } from '../rpc/Rpc.ts';
import type { FilledCommand } from '../savedCommands/placeholders.ts';

/** The live terminal of a tab, as far as the keys are concerned. */
export interface SurfaceTarget {
  focus(): void;
  hasFocus(): boolean;
  /** As if it was typed, wherever the focus is. */
  type(text: string): void;
  /** Whether what is drawn before the cursor comes to end with this text. */
  standsInLine(text: string): Promise<boolean>;
  /** Shows the newest, and what is printed from now on. */
  follow(): void;
  /** Brings a card into view and gives it the keys. */
  showCard(blockId: string): void;
  /** The same, with a line of its output in view, from 0. */
  showLine(blockId: string, n: number): void;
}

/** The command editor of a tab. */
export interface ComposerTarget {
  focus(): void;
  /** Puts text where the caret is. Never submits. */
  insert(text: string): void;
  /** The same with placeholders, which Tab goes through. */
  fill(command: FilledCommand): void;
  /** Shows a draft, with the caret in the middle of it. */
  putCaret(text: string, caret: number): void;
  /** A step through earlier commands; `then` is typed after it. */
  walk(by: 'older' | 'newer', then: readonly Piece[]): void;
}

/** Where the keyboard can be sent. Surfaces and composers announce themselves under their terminal's id. */
export class Focus {
  readonly #surfaces = new SvelteMap<string, SurfaceTarget>();
  readonly #composers = new SvelteMap<string, ComposerTarget>();

  registerSurface(terminalId: string, target: SurfaceTarget): Stop {
    return register(this.#surfaces, terminalId, target);
  }

  registerComposer(terminalId: string, target: ComposerTarget): Stop {
    return register(this.#composers, terminalId, target);
  }

  /** Whether there is one now; tells effects when that changes. */
  hasSurface(terminalId: string): boolean {
    return this.#surfaces.has(terminalId);
  }

  hasComposer(terminalId: string): boolean {
    return this.#composers.has(terminalId);
  }

  /** False when the tab shows no live terminal now. */
  toSurface(terminalId: string): boolean {
    const target = this.#surfaces.get(terminalId);
    target?.focus();
    return target !== undefined;
  }

  typeInto(terminalId: string, text: string): void {
    this.#surfaces.get(terminalId)?.type(text);
  }

  /** Whether the tab's live terminal has the keyboard. */
  isInSurface(terminalId: string): boolean {
    return this.#surfaces.get(terminalId)?.hasFocus() ?? false;
  }

  async standsInLine(terminalId: string, text: string): Promise<boolean> {
    return (await this.#surfaces.get(terminalId)?.standsInLine(text)) ?? false;
  }

  /** The person did something in this tab: its end is what they want to see. */
  follow(terminalId: string): void {
    this.#surfaces.get(terminalId)?.follow();
  }

  /** False when the tab shows no cards now. */
  toCard(terminalId: string, blockId: string): boolean {
    const target = this.#surfaces.get(terminalId);
    target?.showCard(blockId);
    return target !== undefined;
  }

  /** To a line of a card's output, or to the card where there is none. False when the tab shows no cards now. */
  toLine(terminalId: string, { blockId, n }: { blockId: string; n: number | null }): boolean {
    if (n === null) return this.toCard(terminalId, blockId);
    const target = this.#surfaces.get(terminalId);
    target?.showLine(blockId, n);
    return target !== undefined;
  }

  toComposer(terminalId: string): boolean {
    const target = this.#composers.get(terminalId);
    target?.focus();
    return target !== undefined;
  }

  /** Puts text into the tab's command editor and the caret after it; false when the tab has none now. */
  insertIntoPrompt(terminalId: string, text: string): boolean {
    const target = this.#composers.get(terminalId);
    if (!target) return false;
    target.insert(text);
    target.focus();
    return true;
  }

  putCaret(terminalId: string, text: string, caret: number): void {
    this.#composers.get(terminalId)?.putCaret(text, caret);
  }

  /** A step through earlier commands in the tab's editor, behind which `then` is typed; false when the tab has none now. */
  walkHistory(terminalId: string, by: 'older' | 'newer', then: readonly Piece[]): boolean {
    const target = this.#composers.get(terminalId);
    target?.walk(by, then);
    return target !== undefined;
  }

  /** Like `insertIntoPrompt`, for a saved command. */
  fillPrompt(terminalId: string, command: FilledCommand): boolean {
    const target = this.#composers.get(terminalId);
    target?.fill(command);
    return target !== undefined;
  }
}

function register<T>(map: Map<string, T>, id: string, target: T): Stop {
  map.set(id, target);
  return () => {
    if (map.get(id) === target) map.delete(id);
  };
}
