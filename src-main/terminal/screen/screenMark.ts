import type { TerminalEvent } from '../../contract/event.ts';
import type { MarkKind } from '../../screen/emulator/CommandMarks.ts';

/** The events that the screen must notice at their exact position: start and end of the typed text, and events that waits need. */
export function screenMark(event: TerminalEvent): { kinds: readonly MarkKind[]; offset: number } | null {
  if (event.type === 'prompt') {
    return { kinds: event.trusted ? ['promptStart', 'prompt'] : ['promptStart'], offset: event.end };
  }
  if (event.type === 'promptEnd' || event.type === 'begin' || event.type === 'end')
    return { kinds: [event.type], offset: event.end };
  return null;
}

/** Tracks the owner of printed text: a program, or the shell with its prompt and command line, which waits ignore. */
export class TextOwner {
  #isShell = false;

  /** The mark for the screen if `event` changes the owner. `book` has already processed it; without a hook all text counts as a program's. */
  after(
    event: TerminalEvent,
    book: { readonly isBetween: boolean; readonly openedAt: number | null },
    hasHook: boolean,
  ): { kind: MarkKind; offset: number } | null {
    const isShell = hasHook && book.isBetween;
    if (isShell === this.#isShell) return null;
    this.#isShell = isShell;
    const at = 'end' in event && event.type !== 'output' ? event.end : event.at;
    return isShell ? { kind: 'shellText', offset: at } : { kind: 'programText', offset: book.openedAt ?? at };
  }
}
