import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SentText } from '../../../src-main/conversations/extraction/SentText.ts';

/** Returns what `keys`, cut into pieces, send. A Return comes first, so that the box is known to be empty. */
function sentBy(keys: string, cuts: readonly number[] = []): (string | null)[] {
  const sent = new SentText();
  sent.typed('\r');
  const ends = [...cuts.map((cut) => cut % (keys.length + 1)), keys.length].sort((a, b) => a - b);
  return ends.flatMap((end, at) => sent.typed(keys.slice(ends[at - 1] ?? 0, end)));
}

const word = fc.string({ unit: fc.constantFrom('a', '/', 'é', '中', ' '), maxLength: 12 });
const UNTOLD = ['\x1b[A', '\x1bOB', '\t', '\x15', '\x03', '\x1bd', '\x1b[1;5D'];
const key = fc.oneof(word, fc.constantFrom('\x7f', '\x1b[200~a\rb\x1b[201~', '\x1b[I', '\x1b[<0;3;4M', ...UNTOLD));

describe('what keys send', () => {
  test('text that is typed, and erased at its end, is what is left of it', () => {
    fc.assert(
      fc.property(word, fc.nat(14), word, (first, erased, second) => {
        const left = [...first].slice(0, Math.max(0, [...first].length - erased)).join('');
        expect(sentBy(`${first}${'\x7f'.repeat(erased)}${second}\r`)).toEqual([left + second]);
      }),
    );
  });

  test('a command that is pasted whole is told, with its Return or before it, bracketed or not', () => {
    expect(sentBy('/clear\r')).toEqual(['/clear']);
    expect(sentBy('\x1b[200~/clear\x1b[201~\r')).toEqual(['/clear']);
    expect(sentBy('\x1b[200~two\rlines\x1b[201~\r')).toEqual(['two\rlines']);
  });

  test('focus and mouse change nothing, any other key leaves the line untold, and only that line', () => {
    expect(sentBy('a\x1b[Ib\x1b[<35;10;20Mc\x1b[O\r')).toEqual(['abc']);
    for (const untold of UNTOLD) expect(sentBy(`a${untold}b\rnext\r`)).toEqual([null, 'next']);
  });

  test('what was typed before anybody listened is untold', () => {
    expect(new SentText().typed('rest\r')).toEqual([null]);
  });

  test('it does not matter where the keys are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(key, fc.constant('\r')), { maxLength: 20 }), fc.array(fc.nat()), (keys, cuts) => {
        expect(sentBy(keys.join(''), cuts)).toEqual(sentBy(keys.join('')));
      }),
    );
  });
});
