import { describe, expect, test } from 'vitest';
import { GAP_LINE } from '../../../../src-main/contract/chat/chat.ts';
import type { FrameRow } from '../../../../src-main/contract/screen/frame.ts';
import { LOOKS } from '../../../../src-main/conversations/extraction/extractors/agents/opencode/looks.ts';
import { opencode } from '../../../../src-main/conversations/extraction/extractors/agents/opencode.ts';
import { drawnParts } from '../../../../src-main/conversations/extraction/extractors/drawnParts.ts';
import { stepsOfCast } from '../../../support/chatOfCast.ts';
import { readsOfSteps } from '../../../support/chatOfSteps.ts';

/** The dark theme's colour of operators in highlighted code. */
const OPERATOR = '#56b6c2';

const prose = (text: string): FrameRow => ({ text, spans: [{ text }], wrapped: false });
const code = (text: string): FrameRow => ({ text, spans: [{ text, fg: OPERATOR }], wrapped: false });
const blank = (count: number) => Array.from({ length: count }, () => prose(''));

describe('rows that are left free amid an answer', () => {
  test.each([
    ['one between two blocks is no room', [prose('a'), ...blank(1), prose('b')], 1],
    ['two are none either', [prose('a'), ...blank(2), prose('b')], 1],
    ['what is drawn later has a blank row on either side', [prose('a'), ...blank(3), prose('b')], 2],
    ['also behind code that is drawn', [code('a'), ...blank(3), prose('b')], 2],
    ['blank lines within code are its own', [code('a'), ...blank(3), code('b')], 1],
    ['what follows the last row is no room', [prose('a'), ...blank(9)], 1],
  ])('%s', (_, rows, parts) => {
    expect(drawnParts(rows, { looks: LOOKS }).parts.length).toBe(parts);
  });

  test.each([
    ['rows left free above it', [prose('b')], 8, { isHeadless: true, isEndless: false }],
    [
      'a quote above of which only the bars are drawn',
      [prose('▎ '), ...blank(1), prose('b')],
      1,
      { isHeadless: true, isEndless: false },
    ],
    [
      'such a quote below',
      [prose('b'), ...blank(1), prose('▎'), prose('▎')],
      1,
      { isHeadless: false, isEndless: true },
    ],
    ['a quote that is drawn', [prose('▎ a'), prose('▎'), prose('▎ b')], 1, { isHeadless: false, isEndless: false }],
  ])('an answer with %s', (_, rows, above, wanted) => {
    const { parts, ...ends } = drawnParts(rows, { looks: LOOKS, above });
    expect(ends).toEqual(wanted);
    expect(parts.length).toBe(1);
  });

  test('are told until the code is there', () => {
    const steps = stepsOfCast(
      new URL('../../../fixtures/agents/opencode/1.18.33-wide-code-w60/session.cast', import.meta.url),
    );
    const answers = readsOfSteps(steps, opencode).flatMap(({ extraction }) =>
      extraction.messages.filter(({ kind, text }) => kind === 'model' && text.endsWith('are not to be broken.')),
    );
    const [first, last] = [answers[0], answers.at(-1)];
    expect(first?.hasGap).toBe(true);
    expect(first?.text.split('\n\n')).toEqual([
      'Here is a long line:',
      GAP_LINE,
      'The lines above are not to be broken.',
    ]);
    expect(last?.hasGap).toBeUndefined();
    expect(last?.text).toContain('def describe(first_argument');
  });
});
