import { z } from 'zod';

/** Where each machine continues, by its key; '' is this one. */
export type Cursors = Readonly<Record<string, string>>;

const Read = z.record(z.string(), z.string().max(300));
const MARK = 'all:';
/** For a machine that has not answered yet. */
export const FROM_START = '';

/** Null without a cursor. A cursor without the prefix belongs to this machine; an invalid one continues nowhere. */
export function cursorsOf(cursor: string | undefined): Cursors | null {
  if (cursor === undefined || !cursor.startsWith(MARK)) return cursor === undefined ? null : { '': cursor };
  try {
    return Read.parse(JSON.parse(cursor.slice(MARK.length)));
  } catch {
    return {};
  }
}

/** Null if no machine has more. */
export function joinCursors(cursors: Cursors): string | null {
  return Object.keys(cursors).length === 0 ? null : `${MARK}${JSON.stringify(cursors)}`;
}
