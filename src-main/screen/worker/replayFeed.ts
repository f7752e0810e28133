import { type Batch, cutAt, cutOut } from './batches.ts';
import type { Placed } from './feedDeps.ts';
import type { MarkHistory } from './MarkHistory.ts';
import type { FedBytes, OffsetMark } from './screenProtocol.ts';

/** Everything that brings a new worker up to date. All offsets are the stream's. */
export interface Replay {
  /** Offset at the end of the state from which it starts. */
  readonly base: number;
  /** The bytes since then that are still available, in order. */
  readonly held: readonly Batch[];
  /** The bytes on which the old worker hung; they are skipped. */
  readonly skip: { from: number; to: number } | undefined;
  /** Offset up to which the old worker had parsed and answered, and offset up to which bytes were sent to it. */
  readonly parsedEnd: number;
  readonly sentEnd: number;
  readonly passed: MarkHistory;
  /** Queries that the old worker did not answer. */
  readonly questions: readonly Placed[];
}

/** Feeds the bytes since the base again, with the marks and the open queries at their positions, and ends at `sentEnd`. */
export function replayFeed(replay: Replay, feed: (fed: FedBytes) => void): void {
  const { held, skip, parsedEnd, sentEnd } = replay;
  const answeredTo = skip ? Math.max(parsedEnd, skip.to) : parsedEnd;
  const placed = placedAgain(replay, feed);
  const parts = cutAt(
    cutOut(held, skip),
    placed.map(({ offset }) => offset),
  );
  for (const part of parts) {
    while (placed[0] && placed[0].offset <= part.offset) placed.shift()?.post();
    for (const fed of answeredAndNot(part, answeredTo)) feed(fed);
  }
  feed({ offset: sentEnd, bytes: new Uint8Array(0), marks: [], isReplay: false });
  for (const { post } of placed) post();
}

/** Marks since the base and open queries, in the order of the stream. Those from before the base are placed at the base. */
function placedAgain({ base, passed, questions }: Replay, feed: (fed: FedBytes) => void): Placed[] {
  const { atPrompt, text } = passed;
  const marks: OffsetMark[] = [
    ...(text === null ? [] : [{ kind: text, offset: base }]),
    ...(atPrompt ? [{ kind: 'prompt' as const, offset: base }] : []),
    ...passed.marks.filter(({ offset }) => offset >= base),
  ];
  const placed = marks.map((mark): Placed => {
    const fed = { offset: mark.offset, bytes: new Uint8Array(0), marks: [mark], isReplay: true };
    return { offset: mark.offset, post: () => feed(fed) };
  });
  return [...placed, ...questions.map((own) => ({ ...own, offset: Math.max(own.offset, base) }))].sort(
    (a, b) => a.offset - b.offset,
  );
}

/** Splits a batch at `answeredTo`: the old worker has already answered the queries before. */
function answeredAndNot({ offset, bytes }: Batch, answeredTo: number): FedBytes[] {
  const cut = Math.max(0, Math.min(bytes.length, answeredTo - offset));
  const parts = [
    { offset, bytes: bytes.subarray(0, cut), marks: [], isReplay: true },
    { offset: offset + cut, bytes: bytes.subarray(cut), marks: [], isReplay: false },
  ];
  return parts.filter((part) => part.bytes.length > 0);
}
