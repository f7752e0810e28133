import type { ScreenReading } from '../../contract/screen/screen.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Clock } from '../../util/Clock.ts';
import type { InputRequest, SendResult } from './InputRequest.ts';

/** Programs usually draw within this time after a key. */
const DEFAULT_MS = 500;
const MAX_MS = 55_000;
const DEFAULT_STABLE_MS = 50;

interface Sent {
  readonly sent: string;
  readonly before: ScreenReading;
  readonly request: InputRequest;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/** Reports the visible effect of sent keys: a turn or a command began, the line was emptied, the screen changed, or nothing. */
export async function seeEffect(terminal: PtyInstance, { sent, before, request, signal }: Sent): Promise<SendResult> {
  const { seq, epoch } = before;
  const turnBefore = turnOf(terminal);
  const timeoutMs = Math.min(MAX_MS, request.wait?.timeoutMs ?? DEFAULT_MS);
  const ms = Math.max(10, request.wait?.stableMs ?? DEFAULT_STABLE_MS);
  const query = { since: seq, epoch, timeoutMs, scrollback: 0, mode: 'all' as const };
  const waited = await terminal.screen.wait(
    { ...query, conditions: [{ type: 'changed' }, { type: 'stable', ms, ignoreRows: [] }] },
    signal,
  );
  const reading = 'error' in waited ? null : waited.reading;
  const base = {
    bytesWritten: Buffer.byteLength(sent),
    seqBefore: seq,
    seqAfter: reading?.seq ?? seq,
    epoch: reading?.epoch ?? epoch,
  };
  const isSubmitted = sent.includes('\r');
  if (isSubmitted && turnOf(terminal) !== turnBefore) return { ...base, accepted: true, evidence: 'turn_started' };
  if (isSubmitted && isCleared(request, before, reading))
    return { ...base, accepted: true, evidence: 'input_line_cleared' };
  const hasChanged = base.seqAfter !== seq || base.epoch !== epoch;
  return { ...base, accepted: null, evidence: hasChanged ? 'screen_changed' : 'none' };
}

/** A different value means that a program has started to work. */
function turnOf({ view, book }: PtyInstance): string {
  return `${view.agent?.state === 'working' ? view.agent.sinceMs : ''}/${book.runningId ?? book.lastSeq}`;
}

/** Whether the cursor's row contained text before and contains less of it now. */
function isCleared({ text, paste }: InputRequest, before: ScreenReading, after: ScreenReading | null): boolean {
  if (text !== undefined || paste !== undefined || !before.full || !after?.full) return false;
  const row = ({ frame }: { frame: { rows: readonly { text: string }[]; cursor: { row: number } } }): string =>
    frame.rows[frame.cursor.row]?.text.trim() ?? '';
  const was = row(before);
  return was !== '' && row(after).length < was.length && was.startsWith(row(after));
}
