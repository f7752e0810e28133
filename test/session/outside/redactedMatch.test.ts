import { describe, expect, test } from 'vitest';
import type { ScreenReading, WaitMatch } from '../../../src-main/contract/screen.ts';
import { JoinedText } from '../../../src-main/screen/searchLines.ts';
import { redactedMatch } from '../../../src-main/session/outside/redactedMatch.ts';
import { frameOf, rowOf } from '../../support/frames.ts';

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
const ABOVE = [rowOf('$ old'), rowOf(`key ${TOKEN.slice(0, 26)}`)];
const FRAME = frameOf([rowOf(TOKEN.slice(26), true), rowOf('$ next token'), rowOf('word')], { cols: 30 });
const READING: ScreenReading = {
  terminalId: 't',
  seq: 1,
  epoch: 'e',
  hash: '',
  atMs: 0,
  source: 'live',
  scrollback: ABOVE,
  full: true,
  reason: null,
  frame: FRAME,
};

/** What a wait says of the first match in all rows. */
function found(pattern: string): WaitMatch {
  const joined = new JoinedText({ lines: [...ABOVE, ...FRAME.rows], newness: [], above: ABOVE.length });
  const match = new RegExp(pattern).exec(joined.text);
  if (!match) throw new Error(`no ${pattern}`);
  return joined.match({ index: match.index, text: match[0], groups: match.slice(1).map((one) => one ?? null) }, 1);
}

describe('a match', () => {
  test.each([
    ['of what is no secret is told as it is', 'next (to)ken', 'next token', ['to']],
    ['over rows without a secret', 'token\\nwo', 'token\nwo', []],
    ['of a secret over two rows is covered', '(gh)p_(\\w+)', '[redacted][redacted]', ['[redacted]', '[redacted]']],
    ['of a part of it too', 'c3D4(e5)', '[redacted]', ['[redacted]']],
    ['of a secret and more keeps what is more', 'key \\w+\\n\\$', 'key [redacted][redacted]\n$', []],
    ['that looks ahead into it', 'old(?=\\nkey (\\w))', 'old', ['[redacted]']],
  ])('%s', (_, pattern, text, groups) => {
    expect(redactedMatch(found(pattern), READING, pattern)).toMatchObject({ text, groups });
  });

  test('that is not where it is said to be is judged by itself', () => {
    const elsewhere = { ...found('next'), row: -9, text: TOKEN };
    expect(redactedMatch(elsewhere, READING, 'x').text).toBe('[redacted]');
    expect(redactedMatch({ ...elsewhere, text: 'aB3'.repeat(20) }, null, 'x').text).toBe('[redacted]');
    expect(redactedMatch({ ...elsewhere, text: 'word' }, null, 'x').text).toBe('word');
  });
});
