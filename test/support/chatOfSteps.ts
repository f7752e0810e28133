import { type ChatMessage, GAP_LINE } from '../../src-main/contract/chat/chat.ts';
import type { Extraction, IExtractor, ScreenStep } from '../../src-main/contract/chat/extractor.ts';
import type { FrameRow } from '../../src-main/contract/screen/frame.ts';
import { plainWords } from '../../src-main/conversations/extraction/merge/plainWords.ts';
import { RowTimeline } from '../../src-main/conversations/extraction/merge/RowTimeline.ts';
import type { Reading } from '../../src-main/conversations/extraction/merge/updateMessage.ts';

/**
 * What a recorder that looked only at the steps for which `isSeen`, and before and after each resize, would have had: rows that left between
 * are in the next.
 */
export function thinned(steps: readonly ScreenStep[], isSeen: (at: number) => boolean): ScreenStep[] {
  const seen: ScreenStep[] = [];
  let left: ScreenStep['left'] = [];
  let leftApart = 0;
  let below: ScreenStep['below'];
  let top: FrameRow | undefined;
  let isErased = false;
  steps.forEach(({ leftApart: apart = 0, below: ownBelow, ...step }, at) => {
    if (isResized(steps[at - 1] ?? step, step)) top = undefined;
    // As the recorder tells it: another row leaves next than the one that stood there when the last left, or stands there now.
    const isRedrawn = top !== undefined && !isErased && !step.isErased && !goesOn([top], [...step.left, ...step.rows]);
    const isBroken = isRedrawn || (below !== undefined && !goesOn(below, [...step.left, ...(ownBelow ?? [])]));
    if (step.isErased || apart > 0 || (isBroken && step.left.length > 0)) leftApart = left.length + apart;
    if (step.isErased || step.left.length > 0) below = ownBelow;
    if (step.isErased || step.left.length > 0) top = step.altScreen || ownBelow ? undefined : step.rows[0];
    left = [...left, ...step.left];
    isErased ||= step.isErased;
    const beside = [steps[at - 1], steps[at + 1]];
    if (!isSeen(at) && !beside.some((other) => other && isResized(other, step))) return;
    if (isRedrawn && step.left.length === 0) leftApart = left.length;
    seen.push({ ...step, left, isErased, ...(leftApart > 0 && { leftApart }), ...(below && { below }) });
    left = [];
    below = undefined;
    leftApart = 0;
    isErased = false;
  });
  return seen;
}

/** What stood below left next, or stands below now; of what is no more known nothing speaks against it. */
function goesOn(below: readonly FrameRow[], next: readonly FrameRow[]): boolean {
  return below.every(({ text }, at) => next[at] === undefined || next[at].text === text);
}

function isResized(step: ScreenStep, before: ScreenStep): boolean {
  return before.cols !== step.cols || before.rows.length !== step.rows.length;
}

export interface Read {
  readonly extraction: Extraction;
  readonly reading: Reading;
}

/** What one extractor reads at each of `steps`. */
export function readsOfSteps(steps: readonly ScreenStep[], extractor: IExtractor): Read[] {
  const { body, mask } = extractor;
  const tape = new RowTimeline({ ...(body && { body }), ...(mask && { mask }) });
  return steps.map((step) => {
    const extraction = extractor.extract(tape.take(step));
    tape.settle(extraction.isCovered);
    const { at, atMs, seq } = step;
    return { extraction, reading: { at, atMs, seq, extractor: extractor.name, extractorVersion: extractor.version } };
  });
}

/**
 * Those of `some` that are not, in order and each at most once, parts of `all`: what was invented or told twice. What has a gap may be
 * of several messages that follow each other: whoever saw an answer begin and later one end, with nothing of what was said between,
 * cannot know that these are two.
 */
export function notIn(all: readonly ChatMessage[], some: readonly ChatMessage[]): ChatMessage[] {
  let from = 0;
  return some.filter((message) => {
    const found = lastOf(all, message, from);
    if (found < 0) return true;
    from = found + 1;
    return false;
  });
}

/** Index, `from` or more, of the message in `all` that has the last piece of this one, where all are found in order; -1 where not. */
function lastOf(all: readonly ChatMessage[], { kind, text }: ChatMessage, from: number): number {
  const pieces = text.split(GAP_LINE).map((piece) => plainWords(piece.trim()));
  let at = from;
  for (const piece of pieces) {
    while (at < all.length && !(all[at]?.kind === kind && plainWords(all[at]?.text ?? '').includes(piece))) at += 1;
    if (at === all.length) return -1;
  }
  return at;
}

/** What people and the agent said. */
export function said(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.filter(({ kind }) => kind === 'user' || kind === 'model' || kind === 'command');
}
