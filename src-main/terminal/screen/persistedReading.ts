import type { ScreenQuery, ScreenReading, SeqMismatch, WholeFrameReason } from '../../contract/screen/screen.ts';
import { diffFrames, isLargeDiff } from '../../screen/frames/diffFrames.ts';
import { frameHash } from '../../screen/frames/frameHash.ts';
import type { ScreenMoment } from '../../store/record/readScreenFile.ts';
import type { SessionFolder } from '../../store/record/SessionFolder.ts';
import { type PersistedScreen, readLastScreen, readScreenAt } from './persistedScreen.ts';

/**
 * The last screen of a terminal from its files, in the form of a live reading: whole, or as the difference from one of
 * the recorded frames (at most ten a second). Null without a record.
 */
export async function readPersisted(
  folder: SessionFolder,
  query: ScreenQuery,
): Promise<ScreenReading | SeqMismatch | null> {
  const last = await readLastScreen(folder);
  if (!last) return null;
  const { since, epoch, scrollback, withFrame } = query;
  const whole = (reason: WholeFrameReason | null): ScreenReading =>
    wholeReading(folder.id, last, { reason, scrollback });
  if (since === undefined) return whole('first');
  if (epoch !== undefined && epoch !== last.epoch) return whole('epoch-changed');
  if (since > last.frame.seq) return { error: 'seq-mismatch', seq: last.frame.seq };
  const known = since === last.frame.seq ? last : await readScreenAt(folder, { atSeq: since, epoch: last.epoch });
  if (known?.frame.seq !== since) return whole(known ? 'unknown-frame' : 'history-truncated');
  const diff = diffFrames(known.frame, last.frame);
  if (isLargeDiff(diff, last.frame.rowsCount)) return whole('large-diff');
  return { ...common(folder.id, last, scrollback), full: false, diff, ...(withFrame && { frame: last.frame }) };
}

/** The whole screen of a terminal at a moment. Null if that is not recorded. */
export async function readPersistedAt(folder: SessionFolder, moment: ScreenMoment): Promise<ScreenReading | null> {
  const screen = await readScreenAt(folder, moment);
  return screen && wholeReading(folder.id, screen, { reason: null, scrollback: 0 });
}

function wholeReading(
  terminalId: string,
  screen: PersistedScreen,
  { reason, scrollback }: { reason: WholeFrameReason | null; scrollback: number },
): ScreenReading {
  return { ...common(terminalId, screen, scrollback), full: true, reason, frame: screen.frame };
}

function common(terminalId: string, { frame, epoch, hash, atMs, scrollback }: PersistedScreen, wanted: number) {
  return {
    terminalId,
    seq: frame.seq,
    epoch,
    hash: hash ?? frameHash(frame), // of the text alone, because attributes are not recorded
    atMs,
    source: 'persisted' as const,
    scrollback: wanted === 0 ? [] : scrollback.slice(-wanted),
  };
}
