import type { TerminalEvent } from '../contract/event.ts';
import type { MarkKind } from '../screen/ScreenModel.ts';

/** Which events the screen must notice at their very place: where the typed text starts and ends, and what waits are waiting for. */
export function screenMark(event: TerminalEvent): { kinds: readonly MarkKind[]; offset: number } | null {
  if (event.type === 'prompt') {
    return { kinds: event.trusted ? ['promptStart', 'prompt'] : ['promptStart'], offset: event.end };
  }
  if (event.type === 'promptEnd' || event.type === 'begin' || event.type === 'end')
    return { kinds: [event.type], offset: event.end };
  return null;
}
