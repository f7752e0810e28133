import type { Conversation } from '../../contract/chat/chat.ts';

/** The fields that decide a conversation's place in a list; its cursor contains them. */
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

/** Throws a RangeError for an invalid cursor. */
export function parseCursor(cursor: string): ListPlace {
  const [, updatedMs, terminalId, id] = /^(\d+(?:\.\d+)?)\/([^/]+)\/(.+)$/.exec(cursor) ?? [];
  if (terminalId === undefined || id === undefined) throw new RangeError(`"${cursor}" is no cursor of a list`);
  return { updatedMs: Number(updatedMs), terminalId, id };
}
