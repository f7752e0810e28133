import { type Batch, cutAt, cutOut } from './batches.ts';
import type { Placed } from './feedDeps.ts';
import type { MarkHistory } from './MarkHistory.ts';
import type { FedBytes, OffsetMark } from './screenProtocol.ts';

/** What a new worker is brought up to date with. All offsets are those of the stream. */
export interface Replay {
  /** Where the state that it starts from ends. */
  readonly base: number;
  /** The bytes since then that are still at hand, in order. */
  readonly held: readonly Batch[];
  /** The bytes over which the old worker hung: they are left out. */
  readonly skip: { from: number; to: number } | undefined;
  /** How far the old worker had parsed, and answered, and how far it was sent. */
  readonly parsedEnd: number;
  readonly sentEnd: number;
  readonly passed: MarkHistory;
  /** Asked of the old worker and not answered. */
  readonly questions: readonly Placed[];
}

/** Feeds the bytes since the base again, with the marks and the open questions at their places, and ends at `sentEnd`. */
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

/** Marks since the base and open questions, in the order of the stream. What was placed before the base comes at it. */
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

/** What the old worker had parsed it has also answered: the bytes before `answeredTo` apart from those after it. */
function answeredAndNot({ offset, bytes }: Batch, answeredTo: number): FedBytes[] {
  const cut = Math.max(0, Math.min(bytes.length, answeredTo - offset));
  const parts = [
    { offset, bytes: bytes.subarray(0, cut), marks: [], isReplay: true },
    { offset: offset + cut, bytes: bytes.subarray(cut), marks: [], isReplay: false },
  ];
  return parts.filter((part) => part.bytes.length > 0);
}
