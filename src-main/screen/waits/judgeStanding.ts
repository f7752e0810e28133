import type { Frame, FrameRow } from '../../contract/screen/frame.ts';
import type { WaitCondition, WaitMatch, WaitQuery, WaitResult } from '../../contract/screen/screen.ts';
import type { RedactedRow, TellRows } from '../rows/RedactedRow.ts';
import { JoinedText, type SearchResult } from './searchLines.ts';
import { searchPattern } from './searchPattern.ts';

/** A screen that no longer changes, with the known rows above it, oldest first. */
export interface StandingScreen {
  readonly frame: Frame;
  readonly above: readonly FrameRow[];
}

/** Result of a wait on a screen that no longer exists. */
export const GONE: WaitResult = {
  outcome: 'gone',
  met: [],
  waitedMs: 0,
  match: null,
  isImmediate: false,
  commandLines: 'unknown',
  reason: null,
  exit: null,
  reading: null,
};

type Standing = Pick<WaitResult, 'outcome' | 'met' | 'match' | 'isImmediate' | 'reason'>;

/**
 * Judges a wait on a screen that no longer changes. Text can match or be absent; other conditions cannot be met. `gone` means that
 * the wait is not met.
 */
export function judgeStanding(
  { conditions, mode, redacted }: WaitQuery,
  screen: StandingScreen,
  tell: TellRows,
): Standing {
  const tries = conditions.map((condition) => tried(condition, screen, redacted ? tell : null));
  const met = tries.flatMap((one, at) => (one.isMet ? [at] : []));
  const match = tries.find((one) => one.isMet && one.match)?.match ?? null;
  const isOver = mode === 'any' ? met.length > 0 : met.length === conditions.length;
  const isImmediate = match !== null;
  if (isOver) return { outcome: 'met', met, match, isImmediate, reason: null };
  const fault = tries.find((one) => one.fault)?.fault;
  if (fault)
    return {
      outcome: fault.type === 'too-slow' ? 'slow-pattern' : 'bad-pattern',
      met,
      match,
      isImmediate,
      reason: fault.reason,
    };
  return { outcome: 'gone', met, match, isImmediate, reason: null };
}

interface Tried {
  readonly isMet: boolean;
  readonly match?: WaitMatch | null;
  readonly fault?: Exclude<SearchResult, { type: 'found' }>;
}

function tried(condition: WaitCondition, { frame, above }: StandingScreen, tell: TellRows | null): Tried {
  if (condition.type !== 'match' && condition.type !== 'absent') return { isMet: false };
  const scope = condition.type === 'match' ? condition.scope : 'screen';
  if (scope === 'new') return { isMet: false };
  const held = scope === 'scrollback' ? above : [];
  const lines = { lines: [...held, ...frame.rows], newness: [], above: held.length };
  const joined = new JoinedText(lines, tell && told(lines.lines, { frame, above, held: held.length }, tell));
  const result = searchPattern(condition, joined.text);
  if (result.type !== 'found') return { isMet: false, fault: result };
  const [first] = result.found;
  if (condition.type === 'absent') return { isMet: first === undefined };
  return { isMet: first !== undefined, match: first ? joined.match(first, frame.seq) : null };
}

function told(
  rows: readonly FrameRow[],
  { frame, above, held }: StandingScreen & { held: number },
  tell: TellRows,
): readonly RedactedRow[] | null {
  const before = above.slice(0, above.length - held);
  const last = (count: number): readonly FrameRow[] => before.slice(Math.max(0, before.length - count));
  return tell(rows, { cols: frame.cols, left: 0, above: last, before: last });
}
