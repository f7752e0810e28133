import type { Field } from '../../savedCommands/placeholders.ts';
import type { Edit } from '../line/composerKeys.ts';
import type {
  EditorEvents,
  EditorKeys,
  EditorLabels,
  FieldStep,
  KeptLine,
  LineEditor,
  MakeEditor,
  TextRange,
} from './LineEditor.ts';
import { makePlainEditor } from './plainEditor.ts';

let makeCode: MakeEditor | undefined;

/** CodeMirror would make the first bundle a third larger, so it loads beside the first prompt, which takes keys without it. */
async function loadCode(): Promise<MakeEditor> {
  makeCode ??= (await import('./codeEditor.ts')).makeCodeEditor;
  return makeCode;
}

/** A line editor that exists at once. When CodeMirror is loaded, it takes over with the text, the selection and the focus. */
export class EditorSwap implements LineEditor {
  readonly #host: HTMLElement;
  readonly #events: EditorEvents;
  #now: LineEditor;
  #labels: EditorLabels | undefined;
  #ghost = '';
  #keys: EditorKeys = 'default';
  #isComposing = false;
  #isDisposed = false;

  constructor(host: HTMLElement, events: EditorEvents, kept?: KeptLine) {
    this.#host = host;
    this.#events = events;
    this.#now = (makeCode ?? makePlainEditor)(host, events, kept);
    if (makeCode) return;
    host.addEventListener('compositionstart', () => (this.#isComposing = true));
    host.addEventListener('compositionend', () => (this.#isComposing = false));
    // If CodeMirror cannot be loaded, the plain editor stays, which runs commands too.
    loadCode().then((make) => this.#whenWritten(make), console.warn);
  }

  get showsGhost(): boolean {
    return this.#now.showsGhost;
  }

  look(): TextRange {
    return this.#now.look();
  }

  focus(): void {
    this.#now.focus();
  }

  apply(edit: Edit): void {
    this.#now.apply(edit);
  }

  fill(edit: Edit, fields: readonly Field[]): void {
    this.#now.fill(edit, fields);
  }

  goToField(step: FieldStep): void {
    this.#now.goToField(step);
  }

  run(command: Parameters<LineEditor['run']>[0]): void {
    this.#now.run(command);
  }

  show(text: string): void {
    this.#now.show(text);
  }

  select(start: number, end: number): void {
    this.#now.select(start, end);
  }

  describe(labels: EditorLabels): void {
    this.#labels = labels;
    this.#now.describe(labels);
  }

  useKeys(keys: EditorKeys): void {
    this.#keys = keys;
    this.#now.useKeys(keys);
  }

  showGhost(rest: string): void {
    this.#ghost = rest;
    this.#now.showGhost(rest);
  }

  showUnknown(words: Parameters<LineEditor['showUnknown']>[0]): void {
    this.#now.showUnknown(words);
  }

  keep(): KeptLine | undefined {
    return this.#now.keep();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#now.dispose();
  }

  /** Waits until an input method has finished its character. */
  #whenWritten(make: MakeEditor): void {
    if (!this.#isComposing) return this.#swap(make);
    this.#host.addEventListener('compositionend', () => setTimeout(() => this.#swap(make)), { once: true });
  }

  #swap(make: MakeEditor): void {
    if (this.#isDisposed) return;
    const { text, start, end } = this.#now.look();
    const hadFocus = this.#host.contains(document.activeElement);
    const old = this.#now;
    this.#now = make(this.#host, this.#events);
    this.#now.show(text);
    this.#now.select(start, end);
    if (this.#labels) this.#now.describe(this.#labels);
    this.#now.useKeys(this.#keys);
    this.#now.showGhost(this.#ghost);
    if (hadFocus) this.#now.focus();
    old.dispose();
  }
}
