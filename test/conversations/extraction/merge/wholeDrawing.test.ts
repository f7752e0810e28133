import { describe, expect, test } from 'vitest';
import type { ScreenStep } from '../../../../src-main/contract/chat/extractor.ts';
import type { FrameRow } from '../../../../src-main/contract/screen/frame.ts';
import { RowTimeline } from '../../../../src-main/conversations/extraction/merge/RowTimeline.ts';

const row = (text: string): FrameRow => ({ text, spans: [{ text }], wrapped: false });
const GREETING = ['An agent 1.0', 'Tips for getting started', 'Ask what you like'];
const FOOTER = ['> type here', 'folder  model'];
const SCREEN_ROWS = 12;

function step(texts: readonly string[], more: Partial<ScreenStep> = {}): ScreenStep {
  const rows = [...texts, ...Array.from({ length: SCREEN_ROWS - texts.length }, () => '')].map(row);
  const place = { at: 0, atMs: 0, seq: 0, cols: 80, altScreen: false, title: '', cursorRow: null };
  return { ...place, left: [], isErased: false, rows, ...more };
}

function textsAfter(...steps: readonly (ScreenStep & { isCovered?: boolean })[]): string[] {
  const tape = new RowTimeline();
  let texts: string[] = [];
  for (const own of steps) {
    texts = tape.take(own).rows.map(({ text }) => text);
    tape.settle(own.isCovered === true);
  }
  return texts.filter((text) => text !== '');
}

describe('a drawing behind an erasure that begins as the program did', () => {
  const talk = step([...GREETING, 'first question', 'first answer', ...FOOTER]);
  const anew = [...GREETING, ...FOOTER];

  test('is all there is: what stood above it is gone', () => {
    expect(textsAfter(talk, step(anew, { isErased: true }))).toEqual(anew);
  });

  test('is known as such when its first picture was half drawn', () => {
    const half = { ...step([], { isErased: true }), isCovered: true };
    expect(textsAfter(talk, half, step(anew))).toEqual(anew);
  });

  test('begins with the rows that left since', () => {
    const left = [...GREETING, 'first question'].map(row);
    const shown = ['first answer', 'second question', ...FOOTER];
    const all = [...GREETING, 'first question', ...shown];
    expect(textsAfter(talk, step(shown, { isErased: true, left }))).toEqual(all);
  });
});
