import type { Field } from '../../savedCommands/placeholders.ts';
import type { ComposerCommand, Edit, EditorView } from '../line/composerKeys.ts';

export type TextRange = Pick<EditorView, 'text' | 'start' | 'end'>;

/** Texts for a screen reader and for an empty editor. */
export interface EditorLabels {
  label: string;
  placeholder: string;
  /** Id of the list of completions and of the chosen one, while they are shown. */
  listId?: string;
  choiceId?: string;
}

/** The placeholder at the caret. `open`: the first one that is not filled in. */
export interface FieldView {
  name: string;
  description: string;
  /** From 0. */
  at: number;
  count: number;
  open: { at: number; name: string } | null;
}

/** `open`: to the first placeholder that is not filled in. `end`: turns all placeholders into plain text. */
export type FieldStep = 'next' | 'previous' | 'open' | 'end';

export type EditorMode = 'insert' | 'normal' | 'visual' | 'replace';

/** The keys of the editor, as the settings name them. */
export type EditorKeys = 'default' | 'vim';

/** What an editor reports to the composer. */
export interface EditorEvents {
  /** True when the composer has handled the key, so that the editor ignores it. */
  keydown(event: KeyboardEvent): boolean;
  /** Ends with the lookup that the line waits for; null without one. Never rejects. */
  lookup(): Promise<void> | null;
  /** The person changed the text. */
  typed(text: string): void;
  /** The caret moved within the same text. */
  moved(): void;
  /** The caret moved to another placeholder, or one was filled in; null when all are filled in. */
  fieldChanged(field: FieldView | null): void;
  /** Vim's mode; null without Vim keys. */
  modeChanged(mode: EditorMode | null): void;
  focused(): void;
  blurred(): void;
}

/** The text field of a composer: a plain one until CodeMirror is loaded, then CodeMirror's. */
export interface LineEditor {
  look(): TextRange;
  focus(): void;
  /** Replaces a range as typing would, and moves the caret after it. */
  apply(edit: Edit): void;
  /** Like `apply`, with placeholders, and selects the first. Their ranges count in `edit.insert`. */
  fill(edit: Edit, fields: readonly Field[]): void;
  goToField(step: FieldStep): void;
  /** Runs one of the shells' line editing commands, at every caret. */
  run(command: ComposerCommand): void;
  /** Replaces all text without counting as typing; the caret moves to the end. */
  show(text: string): void;
  select(start: number, end: number): void;
  useKeys(keys: EditorKeys): void;
  describe(labels: EditorLabels): void;
  /** Whether the editor can show ghost text: text that is not visible must not be accepted. */
  readonly showsGhost: boolean;
  /** Shows text after a caret at the end. It is not part of the line; '' hides it. */
  showGhost(rest: string): void;
  /** Underlines words that are not commands, instead of the previous ones. */
  showUnknown(words: readonly { from: number; to: number }[]): void;
  /** State for another editor of the same kind; undefined if there is only the text. */
  keep(): KeptLine | undefined;
  dispose(): void;
}

/** A line with its carets, its placeholders and its undo history, as CodeMirror serializes it. */
export type KeptLine = Readonly<Record<string, unknown>>;

export type MakeEditor = (host: HTMLElement, events: EditorEvents, kept?: KeptLine) => LineEditor;
