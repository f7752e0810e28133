import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GAP_LINE } from '../../../src-main/contract/chat/gapLine.ts';
import { hitsIn, searchText } from '../../../src-renderer/conversation/find/chatSearch.ts';
import { permissionParts } from '../../../src-renderer/conversation/message/permissionParts.ts';
import {
  type CodeNode,
  diffNodes,
  fencedDiffNodes,
  plainNodes,
} from '../../../src-renderer/conversation/text/codeNodes.ts';
import { diffLines } from '../../../src-renderer/conversation/text/diffLines.ts';
import { MarkdownReader } from '../../../src-renderer/conversation/text/MarkdownReader.ts';
import { wordDiff } from '../../../src-renderer/conversation/text/wordDiff.ts';
import { aMessage } from './aMessage.ts';

const textOf = (nodes: readonly CodeNode[]): string =>
  nodes.map((node) => (node.type === 'text' ? node.value : textOf(node.children))).join('');

describe('the blocks of a message', () => {
  test('stay the same objects while the text grows behind them', () => {
    const reader = new MarkdownReader();
    const [first, second] = reader.read('# Head\n\nOne para');
    const grown = reader.read('# Head\n\nOne paragraph\n\n- and');
    expect(grown[0]).toBe(first);
    expect(grown[1]).not.toBe(second);
    expect(grown.map(({ type }) => type)).toEqual(['heading', 'paragraph', 'list']);
  });

  test('have a gap where lines are missing, but none cut out of a fence', () => {
    const types = (text: string) => new MarkdownReader().read(text).map(({ type }) => type);
    expect(types(`One\n${GAP_LINE}\nTwo`)).toEqual(['paragraph', 'gap', 'paragraph']);
    expect(types(`\`\`\`\na\n${GAP_LINE}\nb\n\`\`\``)).toEqual(['code']);
    expect(types(`~~~~\n\`\`\`\n${GAP_LINE}\n~~~~\n${GAP_LINE}`)).toEqual(['code', 'gap']);
  });

  test('never lose what cannot be Markdown: raw HTML is a block with its text', () => {
    const [block] = new MarkdownReader().read('<img src=x onerror=alert(1)>');
    expect(block?.raw).toContain('<img src=x onerror=alert(1)>');
  });
});

describe('a change', () => {
  test('as an agent draws it is told by the signs behind its numbers', () => {
    const text = 'Added 1 line, removed 1 line\n 14   const a = 1;\n 15 - old\n 15 + new';
    expect(diffLines(text)?.map(({ kind }) => kind)).toEqual(['head', 'same', 'removed', 'added']);
  });

  test('as diff prints it is told by its heads', () => {
    expect(diffLines('--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z')?.map(({ kind }) => kind)).toEqual([
      'head',
      'head',
      'head',
      'removed',
      'added',
      'same',
    ]);
  });

  test.each(['plain\ntext', '- a list\n- of things', ' 1 # Note\n 2\n 3 hello', '12 apples\n+ 3 pears'])(
    'is not seen in %j',
    (text) => {
      expect(diffLines(text)).toBeNull();
    },
  );

  test('loses no character when it is drawn', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const lines = diffLines(text);
        expect(textOf(plainNodes(text))).toBe(text);
        expect(textOf(fencedDiffNodes(text))).toBe(`${text}\n`);
        if (lines) expect(textOf(diffNodes(lines))).toBe(`${text}\n`);
      }),
    );
  });
});

test('a difference by words gives both texts back', () => {
  const words = fc
    .array(fc.constantFrom('tide', 'low', 'water', '  ', '\n', 'berth '), { maxLength: 40 })
    .map((list) => list.join(' '));
  fc.assert(
    fc.property(words, words, (first, second) => {
      const pieces = wordDiff(first, second);
      const without = (kind: string) =>
        pieces
          .filter((piece) => piece.kind !== kind)
          .map(({ text }) => text)
          .join('');
      expect([without('only-second'), without('only-first')]).toEqual([first, second]);
    }),
  );
});

test('a difference keeps what both have', () => {
  expect(wordDiff('at low water now', 'at high water now')).toEqual([
    { kind: 'both', text: 'at ' },
    { kind: 'only-first', text: 'low' },
    { kind: 'only-second', text: 'high' },
    { kind: 'both', text: ' water now' },
  ]);
});

describe('a question of an agent’s', () => {
  test('is told apart into what it is about, what is asked and the answers', () => {
    const text =
      'Bash command\nPrint two lines\nprintf a\nDo you want to proceed?\n❯ 1. Yes\n2. Yes, and always allow\n      this session\n3. No';
    expect(permissionParts(text)).toEqual({
      title: 'Bash command',
      about: ['Print two lines', 'printf a'],
      question: 'Do you want to proceed?',
      options: [
        { key: '1', label: 'Yes' },
        { key: '2', label: 'Yes, and always allow this session' },
        { key: '3', label: 'No' },
      ],
    });
  });

  test('without numbers stays as it was asked', () => {
    expect(permissionParts('△ Permission required\nAllow once  Reject')).toEqual({
      title: '△ Permission required',
      about: ['Allow once  Reject'],
      question: '',
      options: [],
    });
  });
});

describe('a search', () => {
  test('finds words as they are drawn, whatever Markdown stands between them', () => {
    const text = searchText(aMessage(1, 'model', 'The **low** `tide.low()` and [a table](https://example.org)'));
    expect(text).toBe('The low tide.low() and a table');
    expect(hitsIn(text, 'LOW')).toEqual([4, 13]);
  });

  test('gives places that hold the query, in order, never overlapping', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
        (text, query) => {
          const places = hitsIn(text, query);
          for (const [n, at] of places.entries()) {
            expect(text.slice(at, at + query.length).toLowerCase()).toBe(query.toLowerCase());
            if (n > 0) expect(at).toBeGreaterThanOrEqual((places[n - 1] ?? 0) + query.length);
          }
        },
      ),
    );
  });

  test('of the middle of a repeated word finds as many as fit', () => {
    expect(hitsIn('aaaa', 'aa')).toEqual([0, 2]);
  });
});
