import type { ChatEvent, ChatMessage } from '../../../contract/chat/chat.ts';

/** When something happened. */
export interface Moment {
  /** Offset in output.raw. */
  readonly at: number;
  readonly atMs: number;
}

/** The latest moment of the messages and events of a conversation. */
export function lastMoment(messages: readonly ChatMessage[], events: readonly ChatEvent[]): Moment {
  return {
    at: most([...events.map(({ at }) => at), ...messages.map(({ provenance }) => provenance.rawEnd)]),
    atMs: most([...events.map(({ atMs }) => atMs), ...messages.map(({ updatedMs }) => updatedMs)]),
  };
}

function most(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), 0);
}
