import { expect, test } from 'vitest';
import { leadLength } from '../../src-main/blocks/shellLead.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** The lead of fish 3.6. FISH_4 adds keyboard protocols, queries and marks. */
const FISH_3 = '\x1b[?2004l\x1b]0;echo one ~\x07\x1b[30m\x1b(B\x1b[m\r';
const FISH_4 =
  '\x1b[?2004l\x1b[>4;0m\x1b[<1u\x1b[?u\x1b>\x1b]133;C;cmdline_url=echo%20one\x1b\\\x1bP+q696e646e\x1b\\\x1b]11;?\x07\x1b]2;echo one\x1b\\\x1b[m\r';

test.each([
  ['fish 3.6', FISH_3],
  ['fish 4', FISH_4],
])('finds where the command of %s begins, however the bytes are cut', (_, lead) => {
  for (const output of ['', 'one\r\n', '\r\n', '\r', '\x1b[31mred\x1b[m', '\x1b]0;own\x07\r']) {
    const all = lead + output;
    for (let end = 0; end < lead.length; end++) expect(leadLength(bytes(all.slice(0, end))), `${end}`).toBe(null);
    for (let end = lead.length; end <= all.length; end++)
      expect(leadLength(bytes(all.slice(0, end)))).toBe(lead.length);
  }
});

test.each([
  'one\r\n',
  '\r\n',
  '\r50 %\r100 %',
  '\x1b[31mred\x1b[m\r\n',
  '\x1b[?2004l\x1b[m\rno title',
  '\x1b]0;title\x07text\r',
  '\x1b[2J\x1b]0;title\x07\r',
  `\x1b]0;${'x'.repeat(9000)}\x07\r`,
])('takes no output of a command for what its shell writes: %j', (output) => {
  expect(leadLength(bytes(output))).toBe(0);
});
