import { SvelteMap } from 'svelte/reactivity';
import type { Piece } from '../composer/foldKeys.ts';
import type { Stop } from '../rpc/Rpc.ts';
import type { FilledCommand } from '../savedCommands/placeholders.ts';

/** The live terminal of a tab, as a target of the keyboard. */
export interface SurfaceTarget {
  focus(): void;
  hasFocus(): boolean;
  /** Acts as if the text was typed, wherever the focus is. */
  type(text: string): void;
  /** Whether the text before the cursor ends with this text, now or soon. */
  standsInLine(text: string): Promise<boolean>;
  /** Scrolls to the end and follows new output. */
  follow(): void;
  /** Scrolls to a card and focuses it. */
  showCard(blockId: string): void;
  /** Focuses a card and scrolls to a line of its output, from 0. */
  showLine(blockId: string, n: number): void;
}

/** The command editor of a tab. */
export interface ComposerTarget {
  focus(): void;
  /** Inserts text at the caret. Never submits. */
  insert(text: string): void;
  /** Inserts a command with placeholders, which Tab steps through. */
  fill(command: FilledCommand): void;
  /** Shows a draft with the caret at a position in it. */
  putCaret(text: string, caret: number): void;
  /** Shows a draft with all of it selected; false with Vim keys, where a selection is a mode. */
  selectLine(text: string): boolean;
  /** One step through earlier commands; `then` is typed after it. */
  walk(by: 'older' | 'newer', then: readonly Piece[]): void;
}

/** Targets of the keyboard. Surfaces and composers register under their terminal's id. */
export class Focus {
  readonly #surfaces = new SvelteMap<string, SurfaceTarget>();
  readonly #composers = new SvelteMap<string, ComposerTarget>();

  registerSurface(terminalId: string, target: SurfaceTarget): Stop {
    return register(this.#surfaces, terminalId, target);
  }

  registerComposer(terminalId: string, target: ComposerTarget): Stop {
    return register(this.#composers, terminalId, target);
  }

  /** Whether a surface is registered; reactive. */
  hasSurface(terminalId: string): boolean {
    return this.#surfaces.has(terminalId);
  }

  hasComposer(terminalId: string): boolean {
    return this.#composers.has(terminalId);
  }

  /** False if the tab has no live terminal now. */
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

  /** Call after the person acted in this tab: scrolls to its end. */
  follow(terminalId: string): void {
    this.#surfaces.get(terminalId)?.follow();
  }

  /** False if the tab has no cards now. */
  toCard(terminalId: string, blockId: string): boolean {
    const target = this.#surfaces.get(terminalId);
    target?.showCard(blockId);
    return target !== undefined;
  }

  /** Shows a line of a card's output, or the card without a line. False if the tab has no cards now. */
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

  /** Inserts text into the tab's composer, with the caret after it; false if there is no composer now. */
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

  /** False if it is not selected, also without a composer. */
  selectLine(terminalId: string, text: string): boolean {
    return this.#composers.get(terminalId)?.selectLine(text) ?? false;
  }

  /** One step through earlier commands in the tab's composer, after which `then` is typed; false if there is no composer now. */
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
