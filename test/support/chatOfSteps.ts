import { type ChatMessage, GAP_LINE } from '../../src-main/contract/chat/chat.ts';
import type { Extraction, IExtractor, ScreenStep } from '../../src-main/contract/chat/extractor.ts';
import type { FrameRow } from '../../src-main/contract/screen/frame.ts';
import { plainWords } from '../../src-main/conversations/extraction/merge/plainWords.ts';
import { RowTimeline } from '../../src-main/conversations/extraction/merge/RowTimeline.ts';
import type { Reading } from '../../src-main/conversations/extraction/merge/updateMessage.ts';

/**
 * The steps of a recorder that looks only at steps for which `isSeen` returns true, and before and after each resize. Rows that left in
 * a skipped step are in the next seen one.
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
    // The recorder's rule: `top` was the top row when rows last left, and another row leaves next or is at the top now.
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

/** Whether `next` begins with the rows of `below`. Rows past the end of `next` are unknown and count as equal. */
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

/** Results of one extractor at each of `steps`. */
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
 * Messages of `some` that are not parts of `all`, in order and each at most once: invented or duplicate messages. A message with a gap may
 * span several consecutive messages, because an extractor that saw only the start of one answer and the end of a later one cannot know
 * that these are two.
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

/** Index (at least `from`) of the message in `all` with the last piece of this one; -1 unless all pieces occur in order. */
function lastOf(all: readonly ChatMessage[], { kind, text }: ChatMessage, from: number): number {
  const pieces = text.split(GAP_LINE).map((piece) => plainWords(piece.trim()));
  let at = from;
  for (const piece of pieces) {
    while (at < all.length && !(all[at]?.kind === kind && plainWords(all[at]?.text ?? '').includes(piece))) at += 1;
    if (at === all.length) return -1;
  }
  return at;
}

/** The messages of the person and the agent, and commands. */
export function said(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.filter(({ kind }) => kind === 'user' || kind === 'model' || kind === 'command');
}
