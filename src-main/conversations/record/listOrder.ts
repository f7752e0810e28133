import type { Conversation } from '../../contract/chat/chat.ts';

/** What decides the place of a conversation in a list, and is in its cursor. */
export type ListPlace = Pick<Conversation, 'updatedMs' | 'terminalId' | 'id'>;

export function newestFirst(a: ListPlace, b: ListPlace): number {
  return b.updatedMs - a.updatedMs || order(a.terminalId, b.terminalId) || order(a.id, b.id);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function cursorOf({ updatedMs, terminalId, id }: ListPlace): string {
  return `${updatedMs}/${terminalId}/${id}`;
}

/** Throws a RangeError for a text that is no cursor. */
export function parseCursor(cursor: string): ListPlace {
  const [, updatedMs, terminalId, id] = /^(\d+(?:\.\d+)?)\/([^/]+)\/(.+)$/.exec(cursor) ?? [];
  if (terminalId === undefined || id === undefined) throw new RangeError(`"${cursor}" is no cursor of a list`);
  return { updatedMs: Number(updatedMs), terminalId, id };
}
