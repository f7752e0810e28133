import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Block } from '../../../src-main/contract/block.ts';
import { blockMarkdown } from '../../../src-main/terminal/blocks/blockMarkdown.ts';
import { hasHidden } from '../../../src-renderer/app/hiddenChars.ts';

const HOSTILE = [
  '\u202e',
  '\u2066',
  '\u200b',
  '\u2060',
  '\ufeff',
  '\u{e0041}',
  '\u00ad',
  '\u3164',
  '\u009b',
  '\x1b[31m',
];
const text = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...HOSTILE, '\n', '`', '```')))
  .map((parts) => parts.join(''));

const blockOf = (cmd: string, cwd: string): Block => ({ cmd, cwd, gitBranch: cwd, exitCode: 1 }) as Block;

test('a block as Markdown holds no character that cannot be seen', () => {
  fc.assert(
    fc.property(text, text, text, (cmd, cwd, output) => {
      const markdown = blockMarkdown(blockOf(cmd, cwd), output, false);
      expect(hasHidden(markdown)).toBe(false);
    }),
  );
});

test('emoji, joined letters and text from right to left stay as they are', () => {
  const shown = '👩‍👩‍👧‍👦 می‌خواهم مرحبا é';
  expect(blockMarkdown(blockOf(`echo ${shown}`, '/tmp'), shown, false)).toBe(
    `\`\`\`sh\necho ${shown}\n\`\`\`\n\n/tmp · /tmp · exit 1\n\n\`\`\`text\n${shown}\n\`\`\`\n`,
  );
});

test('a block without folder, branch and exit has its command and output alone', () => {
  expect(blockMarkdown({ cmd: 'ls', cwd: null, exitCode: null } as Block, 'a', false)).toBe(
    '```sh\nls\n```\n\n```text\na\n```\n',
  );
});

test.each([
  [1, 'The output shows an image, which is not in this text.'],
  [3, 'The output shows 3 images, which are not in this text.'],
])('says that there were images: %i', (images, note) => {
  expect(blockMarkdown({ ...blockOf('chafa a.png', '/tmp'), images }, '', false)).toContain(note);
});
