import { expect, test } from 'vitest';
import { RowTape } from '../../../src-main/chat/merge/RowTape.ts';
import { PtyChatSession } from '../../../src-main/chat/PtyChatSession.ts';
import type { ExtractedMessage, ScreenStep } from '../../../src-main/contract/extractor.ts';
import type { FrameRow } from '../../../src-main/contract/frame.ts';
import { countedIds } from '../../support/chatOfCast.ts';

const row = (text: string): FrameRow => ({ text, spans: [{ text }], wrapped: false });
const SCREEN = { isErased: false, cols: 40, altScreen: false, title: '', cursorRow: null };

/** Rows of the tape after steps of the normal screen, each with the rows that left before it. */
function tapeOf(...steps: { left: string[]; rows: string[] }[]): string[] {
  const tape = new RowTape();
  const taken = steps.map(({ left, rows }, at): string[] => {
    const step: ScreenStep = { ...SCREEN, at, atMs: at * 100, seq: at, left: left.map(row), rows: rows.map(row) };
    const { rows: told } = tape.take(step);
    tape.settle(false);
    return told.map(({ text }) => text);
  });
  return taken.at(-1) ?? [];
}

test('rows that a tall dialog pushed off the screen, and that are drawn again when it is gone, are there once', () => {
  const dialog = ['May I?', '1. Yes', '2. No'];
  expect(
    tapeOf(
      { left: [], rows: ['ask', 'answer', 'call', 'box', '', ''] },
      { left: ['ask', 'answer'], rows: ['call', ...dialog, '', ''] },
      { left: [], rows: ['ask', 'answer', 'call', 'result', 'box', ''] },
    ),
  ).toEqual(['ask', 'answer', 'call', 'result', 'box', '']);
});

test('rows that say the same as those above them are kept where they only scrolled', () => {
  expect(
    tapeOf(
      { left: [], rows: ['ask', 'answer', 'ask', 'answer'] },
      { left: ['ask', 'answer'], rows: ['ask', 'answer', 'ask', 'answer'] },
    ),
  ).toEqual(['ask', 'answer', 'ask', 'answer', 'ask', 'answer']);
});

test('a piece amid an answer that was drawn after all the rest is of that answer', () => {
  const session = new PtyChatSession('t', countedIds());
  session.begin({ agent: 'x', cwd: '/w', blockId: 'b', at: 0, atMs: 0 });
  const seen = (kind: 'user' | 'model', text: string): ExtractedMessage => {
    return { kind, text, fromRow: 0, toRow: 1, isHeadCut: false, isOpen: false, confidence: 1 };
  };
  const whole = ['Here is a long line:', 'const all = first + second + third + fourth;', 'That was it.'];
  for (const [at, text] of [[whole[0], whole[2]], whole].entries()) {
    session.updateFromSnapshot(
      {
        messages: [seen('user', 'show it'), seen('model', text.join('\n\n'))],
        state: 'idle',
        evidence: null,
        isCovered: false,
      },
      { at, atMs: at * 500, seq: at, extractor: 'x', extractorVersion: 1 },
    );
  }
  expect(session.messages.map(({ text }) => text)).toEqual(['show it', whole.join('\n\n')]);
});
