import type { TerminalEvent } from '../../contract/event.ts';
import type { MarkKind } from '../../screen/emulator/ScreenModel.ts';

/** Which events the screen must notice at their very place: where the typed text starts and ends, and what waits are waiting for. */
export function screenMark(event: TerminalEvent): { kinds: readonly MarkKind[]; offset: number } | null {
  if (event.type === 'prompt') {
    return { kinds: event.trusted ? ['promptStart', 'prompt'] : ['promptStart'], offset: event.end };
  }
  if (event.type === 'promptEnd' || event.type === 'begin' || event.type === 'end')
    return { kinds: [event.type], offset: event.end };
  return null;
}

/** Follows whose the text is that is printed: a program's, or the shell's own prompt and command line, which waits do not look at. */
export class TextOwner {
  #isShell = false;

  /** The mark for the screen where that changes with `event`. `book` has taken it; without a hook nobody knows, and all is a program's. */
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
