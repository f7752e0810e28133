import { describe, expect, test } from 'vitest';
import { GAP_LINE } from '../../../../src-main/contract/chat/chat.ts';
import type { ExtractedMessage, Extraction, ScreenStep } from '../../../../src-main/contract/chat/extractor.ts';
import type { FrameRow } from '../../../../src-main/contract/screen/frame.ts';
import { RowTimeline } from '../../../../src-main/conversations/extraction/merge/RowTimeline.ts';
import { PtyChatSession } from '../../../../src-main/conversations/extraction/PtyChatSession.ts';
import { countedIds } from '../../../support/chatOfCast.ts';

const row = (text: string): FrameRow => ({ text, spans: [{ text }], wrapped: false });
const SCREEN = { isErased: false, cols: 40, altScreen: false, title: '', cursorRow: null };

/** Rows of the timeline after steps of the normal screen, each with the rows that left before it. */
function tapeOf(...steps: { left: string[]; rows: string[]; leftApart?: number }[]): string[] {
  const tape = new RowTimeline();
  const taken = steps.map(({ left, rows, ...rest }, at): string[] => {
    const times = { at, atMs: at * 100, seq: at };
    const step: ScreenStep = { ...SCREEN, ...times, ...rest, left: left.map(row), rows: rows.map(row) };
    const { rows: told } = tape.take(step);
    tape.settle(false);
    return told.map(({ text }) => text);
  });
  return taken.at(-1) ?? [];
}

describe('rows that a tall dialog pushed off the screen, and that are drawn again when it is gone, are there once', () => {
  const before = { left: [], rows: ['hello', 'ask', 'answer', 'call', 'box', ''] };
  const asked = { left: ['hello', 'ask', 'answer'], rows: ['call', 'May I?', '1. Yes', '2. No', '', ''] };
  const after = ['ask', 'answer', 'call', 'result', 'box', ''];

  test.each([
    ['at each picture', [before, asked, { left: [], rows: after }]],
    ['not at the dialog', [before, { left: asked.left, leftApart: 3, rows: after }]],
    ['only when it was gone', [{ left: asked.left, leftApart: 3, rows: after }]],
  ])('whoever looks %s', (_, steps) => {
    expect(tapeOf(...steps)).toEqual(['hello', ...after]);
  });

  const later = ['answer', 'call', 'result', 'more', 'box', ''];
  test.each([
    ['at the dialog, and later', [before, asked, { left: ['ask'], rows: later }]],
    ['not at the dialog, and later', [before, { left: [...asked.left, 'ask'], leftApart: 3, rows: later }]],
    ['only later', [{ left: [...asked.left, 'ask'], leftApart: 3, rows: later }]],
  ])('whoever looks %s, when some of them left once more', (_, steps) => {
    expect(tapeOf(...steps)).toEqual(['hello', 'ask', ...later]);
  });
});

describe('rows that say the same as those above them are kept', () => {
  test('where they only scrolled', () => {
    expect(
      tapeOf(
        { left: [], rows: ['ask', 'answer', 'ask', 'answer'] },
        { left: ['ask', 'answer'], rows: ['ask', 'answer', 'ask', 'answer'] },
      ),
    ).toEqual(['ask', 'answer', 'ask', 'answer', 'ask', 'answer']);
  });

  test('where they are those of a first look', () => {
    expect(tapeOf({ left: ['ask', 'answer'], rows: ['ask', 'answer', 'box'] })).toEqual([
      'ask',
      'answer',
      'ask',
      'answer',
      'box',
    ]);
  });

  test('where they came below an input box that has gone up with all the rest', () => {
    expect(
      tapeOf({ left: [], rows: ['ask', 'answer', 'box'] }, { left: ['ask', 'answer'], rows: ['ask', 'answer', 'box'] }),
    ).toEqual(['ask', 'answer', 'ask', 'answer', 'box']);
  });
});

/** The recorded messages (text, has a gap) after the given looks at an answer to `show it`. */
function recorded(...looks: (Partial<ExtractedMessage> & Pick<Extraction, 'isCovered'>)[]): [string, boolean][] {
  const session = new PtyChatSession('t', countedIds());
  session.begin({ agent: 'x', cwd: '/w', blockId: 'b', at: 0, atMs: 0 });
  const base = { fromRow: 0, toRow: 1, isHeadCut: false, isOpen: false, confidence: 1 };
  looks.forEach(({ isCovered, ...seen }, at) => {
    const answer: ExtractedMessage = { ...base, kind: 'model', text: '', ...seen };
    const messages = seen.isHeadCut ? [answer] : [{ ...base, kind: 'user' as const, text: 'show it' }, answer];
    session.updateFromSnapshot(
      { messages, state: 'idle', evidence: null, isCovered },
      { at, atMs: at * 500, seq: at, extractor: 'x', extractorVersion: 1 },
    );
  });
  return session.messages.map(({ text, hasGap = false }) => [text, hasGap]);
}

describe('what of an answer is drawn after all the rest is of that answer', () => {
  const [intro, code, end] = ['Here is a long line:', 'const all = first + second + third + fourth;', 'That was it.'];
  const whole = [intro, code, end].join('\n\n');
  const isCovered = false;
  const asked = ['show it', false];

  test('a piece amid it', () => {
    expect(recorded({ text: `${intro}\n\n${end}`, isCovered }, { text: whole, isCovered })).toEqual([
      asked,
      [whole, false],
    ]);
  });

  const withRoom = { text: `${intro}\n\n${GAP_LINE}\n\n${end}`, hasGap: true, isCovered };
  test.each([
    ['a piece for which room was left', [withRoom, { text: whole, isCovered }], whole],
    ['that piece, though a menu covers some of the screen', [withRoom, { text: whole, isCovered: true }], whole],
    ['that piece, though there is only room for it again', [{ text: whole, isCovered }, withRoom], whole],
    ['room, where nobody saw the piece', [withRoom, withRoom], withRoom.text],
    ['room, behind what was seen before', [{ text: intro, isCovered }, withRoom], withRoom.text],
  ])('%s', (_, looks, text) => {
    expect(recorded(...looks)).toEqual([asked, [text, text === withRoom.text]]);
  });

  test('the beginning, though a row of what was known is not drawn again yet', () => {
    const lines = ['First it says this.', '', 'Then a line.', 'A row that comes last.', 'The end of a list.', ''];
    const more = ['Behind that it goes on.', '', 'And it says goodbye.'];
    const known = [...lines, ...more].join('\n');
    const torn = ['What nobody saw yet.', '', ...lines.filter((line) => !line.includes('comes last')), more[0]].join(
      '\n',
    );
    const told = recorded({ text: known, isHeadCut: true, isCovered }, { text: torn, isCovered });
    expect(told.map(([text]) => text.split('\n')[0])).toEqual(['show it', 'What nobody saw yet.']);
    expect(told[1]?.[0]).toContain('And it says goodbye.');
  });
});
