import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffRows, languageOf, splitLines } from '../../../src-renderer/changes/diffRows.ts';
import type { CodeNode } from '../../../src-renderer/conversation/text/codeNodes.ts';

const PATCH = `diff --git a/a.ts b/a.ts
index 1..2 100644
--- a/a.ts
+++ b/a.ts
@@ -10,3 +10,3 @@ function moor()
 same
---- looks like a head
++++ so does this
 last
\\ No newline at end of file
`;

test('the lines of a patch have their numbers in both files, and a line that looks like a head is a line', () => {
  expect(diffRows(PATCH)).toEqual([
    { kind: 'gap', text: 'function moor()', before: null, after: null },
    { kind: 'same', text: 'same', before: 10, after: 10 },
    { kind: 'removed', text: '--- looks like a head', before: 11, after: null },
    { kind: 'added', text: '+++ so does this', before: null, after: 11 },
    { kind: 'same', text: 'last', before: 12, after: 12 },
    { kind: 'note', text: 'No newline at end of file', before: null, after: null },
  ]);
});

test('a binary file and a change of the mode have no lines', () => {
  expect(diffRows('diff --git a/x b/x\nold mode 100644\nnew mode 100755\n')).toEqual([]);
  expect(diffRows('diff --git a/x b/x\nBinary files a/x and b/x differ\n')).toEqual([]);
});

test.each([
  ['src/a.ts', 'ts'],
  ['a.mjs', 'javascript'],
  ['Makefile', 'makefile'],
  ['no-extension', ''],
  ['dir.ts/plain', ''],
])('%s is of the language "%s"', (path, language) => {
  expect(languageOf(path)).toBe(language);
});

const textOf = (nodes: readonly CodeNode[]): string =>
  nodes.map((node) => (node.type === 'text' ? node.value : textOf(node.children))).join('');
const node: fc.Arbitrary<CodeNode> = fc.letrec<{ node: CodeNode }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.record({ type: fc.constant('text' as const), value: fc.string({ unit: fc.constantFrom('a', ' ', '\n') }) }),
    fc.record({
      ...{ type: fc.constant('element' as const), className: fc.constantFrom('x', 'y') },
      children: fc.array(tie('node'), { maxLength: 3 }),
    }),
  ),
})).node;

test('painted code that is split by lines has every character in its line', () => {
  fc.assert(
    fc.property(fc.array(node, { maxLength: 5 }), (nodes) => {
      expect(splitLines(nodes).map(textOf)).toEqual(textOf(nodes).split('\n'));
    }),
  );
});
