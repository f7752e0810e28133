import { describe, expect, test } from 'vitest';
import { type ChatKind, GAP_LINE } from '../../../../src-main/contract/chat/chat.ts';
import type { ExtractedMessage, Extraction } from '../../../../src-main/contract/chat/extractor.ts';
import { isMuchOf, isThinned } from '../../../../src-main/conversations/extraction/merge/pieces.ts';
import { PtyChatSession } from '../../../../src-main/conversations/extraction/PtyChatSession.ts';
import { countedIds } from '../../../support/chatOfCast.ts';

const READING = { at: 1, atMs: 1, seq: 1, extractor: 'x', extractorVersion: 1 };

/** The messages of a session after these screens, one after the other. */
function told(...shown: (readonly ExtractedMessage[] | Extraction)[]): string[] {
  const session = new PtyChatSession('t', countedIds());
  session.begin({ agent: 'x', cwd: '/w', blockId: 'b', at: 0, atMs: 0 });
  for (const own of shown) session.updateFromSnapshot('messages' in own ? own : screen(own), READING);
  return session.messages.map(({ kind, text }) => `${kind}: ${text}`);
}

function screen(messages: readonly ExtractedMessage[], more: Partial<Extraction> = {}): Extraction {
  return { messages: [...messages], state: 'idle', evidence: null, isCovered: false, ...more };
}

function seen(kind: ChatKind, text: string, more: Partial<ExtractedMessage> = {}): ExtractedMessage {
  return { kind, text, fromRow: 0, toRow: 1, isHeadCut: false, isOpen: false, confidence: 1, ...more };
}

const ASKED = seen('user', 'show me');
const WHOLE = [
  '# Every kind',
  'A paragraph with words.',
  '- first point',
  '- second point',
  '## Code',
  'return a + b;',
  '> A quotation.',
  'That was all.',
];
const lines = (...at: number[]) => at.map((line) => WHOLE[line]).join('\n');
const whole = WHOLE.join('\n');

describe('an answer of which lines were drawn late', () => {
  test('is one answer, in all of its lines', () => {
    const early = seen('model', lines(0, 1, 2, 4, 5, 7));
    expect(told([ASKED, early], [ASKED, seen('model', whole)])).toEqual(['user: show me', `model: ${whole}`]);
  });

  test('also where it was known in pieces', () => {
    const pieces = `${lines(0, 1)}\n\n${GAP_LINE}\n\n${lines(4, 5, 7)}`;
    const early = seen('model', pieces, { hasGap: true });
    expect(told([ASKED, early], [ASKED, seen('model', whole)])).toEqual(['user: show me', `model: ${whole}`]);
  });

  test('is told whole though something lies over the screen by then', () => {
    const covered = screen([ASKED, seen('model', whole)], { isCovered: true });
    expect(told([ASKED, seen('model', lines(0, 1, 2, 4, 7))], covered)).toEqual(['user: show me', `model: ${whole}`]);
  });

  test('stays whole when it is drawn again in holes', () => {
    expect(told([ASKED, seen('model', whole)], [ASKED, seen('model', lines(0, 1, 3, 5, 7))])).toEqual([
      'user: show me',
      `model: ${whole}`,
    ]);
  });

  test.each([
    ['a few lines of it', lines(0, 7), false],
    ['most lines of it', lines(0, 1, 3, 5, 7), true],
    ['most lines of it in another order', lines(5, 3, 1, 0, 7), false],
    ['most lines of it, and one of its own', `${lines(0, 1, 3, 5)}\nand this`, false],
    ['all of it', whole, true],
    ['marks without words among its lines', `${lines(0, 1, 3)}\n-\n>\n${lines(5, 7)}`, true],
  ])('%s', (_, less, is) => {
    expect(isThinned(less, whole)).toBe(is);
  });

  test('pieces that stand in it twice count once', () => {
    const twice = [lines(0, 1), lines(0, 1), lines(0, 1)].join(`\n\n${GAP_LINE}\n\n`);
    expect(isMuchOf(twice, whole)).toBe(false);
  });
});

describe('what a program prints once more at its end', () => {
  const exit = seen('exit', 'Goodbye!');

  test('is not told again: the answer twice', () => {
    const answer = seen('model', 'Hello.');
    expect(told([ASKED, answer, exit], [ASKED, answer, answer, exit])).toEqual([
      'user: show me',
      'model: Hello.',
      'exit: Goodbye!',
    ]);
  });

  test('is not told again: the conversation before', () => {
    const session = new PtyChatSession('t', countedIds());
    session.begin({ agent: 'x', cwd: '/w', blockId: 'b', at: 0, atMs: 0 });
    const greeting = seen('welcome', 'Welcome');
    session.updateFromSnapshot(screen([greeting, seen('user', 'remember 7'), seen('model', 'I will.')]), READING);
    session.cleared(READING);
    const asked = [seen('user', 'which?'), seen('model', 'I do not know.')];
    session.updateFromSnapshot(screen([greeting, ...asked]), READING);
    const all = [greeting, seen('user', 'remember 7'), ...asked.slice(1), exit];
    session.updateFromSnapshot(screen(all, { state: 'exited' }), READING);
    const said = session.messages.filter(({ kind }) => kind === 'user' || kind === 'model');
    expect(said.map(({ text }) => text)).toEqual(['remember 7', 'I will.', 'which?', 'I do not know.']);
  });

  test('a prompt is never put in the place of another', () => {
    expect(
      told(
        [ASKED, seen('model', 'Hello.')],
        [seen('welcome', 'Hi'), seen('user', 'other'), seen('model', 'Hello.'), exit],
      ),
    ).toContain('user: show me');
  });
});
