import type { TerminalEvent } from '../contract/event.ts';

/** Which events the screen must notice at their very place: where the typed text starts and ends. */
export function screenMark(
  event: TerminalEvent,
): { kind: 'promptStart' | 'promptEnd' | 'begin'; offset: number } | null {
  if (event.type === 'prompt') return { kind: 'promptStart', offset: event.end };
  if (event.type === 'promptEnd') return { kind: 'promptEnd', offset: event.end };
  return event.type === 'begin' ? { kind: 'begin', offset: event.end } : null;
}
