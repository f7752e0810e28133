import type { Field } from '../../savedCommands/placeholders.ts';
import type { ComposerCommand, Edit, EditorView } from '../line/composerKeys.ts';

export type TextRange = Pick<EditorView, 'text' | 'start' | 'end'>;

/** What a screen reader and an empty editor say. */
export interface EditorLabels {
  label: string;
  placeholder: string;
  /** Id of the list of completions and of the chosen one, while they are shown. */
  listId?: string;
  choiceId?: string;
}

/** The placeholder that the caret is in. `open`: the first one that is not filled in. */
export interface FieldView {
  name: string;
  description: string;
  /** From 0. */
  at: number;
  count: number;
  open: { at: number; name: string } | null;
}

/** `open`: to the first one that is not filled in. `end`: they are text like any other from now on. */
export type FieldStep = 'next' | 'previous' | 'open' | 'end';

export type EditorMode = 'insert' | 'normal' | 'visual' | 'replace';

/** The keys of the editor, as the settings name them. */
export type EditorKeys = 'default' | 'vim';

/** What an editor reports to the composer. */
export interface EditorEvents {
  /** True when the key is handled and the editor leaves it alone. */
  keydown(event: KeyboardEvent): boolean;
  /** The person changed the text. */
  typed(text: string): void;
  /** The caret went elsewhere in the same text. */
  moved(): void;
  /** Another placeholder has the caret, or one was filled in; null: none is left to fill in. */
  fieldChanged(field: FieldView | null): void;
  /** Vim's mode; null without Vim's keys. */
  modeChanged(mode: EditorMode | null): void;
  focused(): void;
  blurred(): void;
}

/** The text field of a composer: a plain one until CodeMirror is loaded, then CodeMirror's. */
export interface LineEditor {
  look(): TextRange;
  focus(): void;
  /** Replaces a part as typing would, and puts the caret behind it. */
  apply(edit: Edit): void;
  /** The same with placeholders in it, the first of which is selected. Their ranges count in `edit.insert`. */
  fill(edit: Edit, fields: readonly Field[]): void;
  goToField(step: FieldStep): void;
  /** One of the shells' line editing keys, at every caret. */
  run(command: ComposerCommand): void;
  /** Replaces all text without counting as typing; the caret moves to the end. */
  show(text: string): void;
  select(start: number, end: number): void;
  useKeys(keys: EditorKeys): void;
  describe(labels: EditorLabels): void;
  /** Whether it can show ghost text: what is not seen must not be accepted. */
  readonly showsGhost: boolean;
  /** Shows text behind a caret at the end. It is no part of the text; '' shows nothing. */
  showGhost(rest: string): void;
  /** Underlines words that name no command, in place of those before. */
  showUnknown(words: readonly { from: number; to: number }[]): void;
  /** What another editor of the same kind begins with; undefined where there is nothing but the text. */
  keep(): KeptLine | undefined;
  dispose(): void;
}

/** A line with its carets, its placeholders and what can be undone in it, as CodeMirror writes it. */
export type KeptLine = Readonly<Record<string, unknown>>;

export type MakeEditor = (host: HTMLElement, events: EditorEvents, kept?: KeptLine) => LineEditor;
