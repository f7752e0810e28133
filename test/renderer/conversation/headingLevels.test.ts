import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headingLevels } from '../../../src-renderer/conversation/text/headingLevels.ts';
import { MarkdownReader } from '../../../src-renderer/conversation/text/MarkdownReader.ts';

const levelsOf = (text: string) => headingLevels(new MarkdownReader().read(text)).filter((level) => level !== null);

test.each([
  ['## Plan\n\ntext\n\n### Step\n\n## Result', [4, 5, 4]],
  ['# Plan\n\n### Step\n\n## Result', [4, 5, 5]],
  ['#### Deep\n\n# Whole', [4, 4]],
])('the headings of %j leave out no level', (text, levels) => {
  expect(levelsOf(text)).toEqual(levels);
});

test('from one heading of an answer to the next the level grows by one at most, and the first follows the speaker', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 }), (depths) => {
      const levels = levelsOf(depths.map((depth) => `${'#'.repeat(depth)} a`).join('\n\n'));
      expect(levels).toHaveLength(depths.length);
      levels.forEach((level, at) => {
        expect(level - (levels[at - 1] ?? 3)).toBeLessThanOrEqual(1);
      });
    }),
  );
});
