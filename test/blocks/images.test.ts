import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { feedStyled, feedText, plain } from './feedText.ts';

const PIXELS = Buffer.from('not really a picture').toString('base64');

/** Output of programs for an image, by protocol. */
const IMAGES = {
  sixel: '\x1bPq"1;1;2;6#0;2;100;0;0#0!2~$-#0!2~\x1b\\',
  'iTerm2, ended by BEL': `\x1b]1337;File=name=YQ==;size=20;inline=1:${PIXELS}\x07`,
  'iTerm2, ended by ST': `\x1b]1337;File=inline=1:${PIXELS}\x1b\\`,
  'kitty, in chunks': `\x1b_Ga=T,f=100,m=1;${PIXELS}\x1b\\\x1b_Gm=0;${PIXELS}\x1b\\`,
  'kitty, raw pixels': `\x1b_Ga=T,f=24,s=1,v=1;AAAA\x1b\\`,
};

describe.each(Object.entries(IMAGES))('a picture by %s', (_, image) => {
  const raw = Buffer.from(`before\r\n${image}\r\nafter\r\n`);

  test('leaves nothing of itself in the text, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(raw.length), { maxLength: 6 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), raw.length];
        const chunks = at.slice(1).map((end, index) => raw.subarray(at[index], end));
        expect(feedText(chunks).text).toBe('before\n\nafter\n');
        expect(plain(feedStyled(chunks))).toEqual(['before', '', 'after']);
      }),
      { numRuns: 50 },
    );
  });

  test('that breaks off takes no later line with it', () => {
    const broken = `${image.slice(0, 12)}\x1b[0m\r\nafter\r\n`;
    expect(feedText([Buffer.from(`before\r\n${broken}`)]).text).toBe('before\n\nafter\n');
  });
});

test('ten megabytes of a picture leave no text behind', () => {
  const part = Buffer.alloc(1_000_000, 'A');
  const chunks = [
    Buffer.from('a\x1b_Ga=T,f=100;'),
    ...Array.from({ length: 10 }, () => part),
    Buffer.from('\x1b\\b\n'),
  ];
  expect(feedText(chunks).text).toBe('ab\n');
});
