import { strings } from '../app/strings.ts';

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** `Today`, `Yesterday`, `Monday 3 March`, and with the year where it is not this one. */
export function formatDay(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const now = new Date(nowMs);
  if (at.toDateString() === now.toDateString()) return strings.search.today;
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (at.toDateString() === yesterday.toDateString()) return strings.search.yesterday;
  return (at.getFullYear() === now.getFullYear() ? DAY : DAY_OF_YEAR).format(at);
}
