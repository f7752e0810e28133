import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generic } from '../../../../../src-main/conversations/extraction/extractors/agents/generic.ts';
import { plainSnapshot } from '../../../../support/snapshots.ts';

const told = (...lines: string[]) =>
  generic.extract(plainSnapshot(lines.join('\n'))).messages.map(({ kind, text }) => `${kind}: ${text}`);

describe('an agent nobody has described', () => {
  test('a prompt and what follows it; the prompt at the end is no message', () => {
    expect(told('Welcome!', '', '> hi', '', 'Hello.', '', 'How are you?', '', '> ')).toEqual([
      'user: hi',
      'model: Hello.\n\nHow are you?',
    ]);
    expect(told('› hi', 'Hello.', '', '› and', 'More.', '› ')).toEqual([
      'user: hi',
      'model: Hello.',
      'user: and',
      'model: More.',
    ]);
  });

  test('lines typed below each other are one message', () => {
    expect(told('> one', '>', '> two', '', 'Done.')).toEqual(['user: one\n\ntwo', 'model: Done.']);
  });

  test('what stands in a box is no message', () => {
    expect(told('Welcome!', '', '────────', '❯ Try this', '────────', '  ? for help')).toEqual([]);
    expect(told('╭────────╮', '│ > hi   │', '╰────────╯')).toEqual([]);
  });

  test('a line quoted within an answer is no prompt', () => {
    expect(told('> hi', '', 'You said:', '> hi', 'Right?', '', '> ')).toEqual([
      'user: hi',
      'model: You said:\n> hi\nRight?',
    ]);
  });

  test('shells whose prompt is none of its signs are no conversation', () => {
    expect(told('$ ls', 'a  b', '$ cat <<EOF', '> one', '> EOF', 'one', '$ ')).toEqual([]);
    expect(told('root@demo:ws2# ls -la', 'total 16', 'root@demo:ws2# ')).toEqual([]);
    expect(told('user@host ~ % ls', 'a', 'user@host ~ % ')).toEqual([]);
  });

  test('it claims nothing: no screen is its own, no state is known, confidence is low', () => {
    const line = fc.stringMatching(/^[>❯›$#│─ a-z/.]{0,12}$/);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
        const snapshot = plainSnapshot(lines.join('\n'));
        const { messages, state, evidence } = generic.extract(snapshot);
        expect([generic.recognise(snapshot), state, evidence]).toEqual([0, 'unknown', null]);
        expect(messages.every(({ confidence }) => confidence <= 0.2)).toBe(true);
        let at = 0;
        for (const { fromRow, toRow, text } of messages) {
          expect(fromRow).toBeGreaterThanOrEqual(at);
          expect(toRow).toBeGreaterThan(fromRow);
          // Every line of the message is within its rows of the screen.
          const own = lines.slice(fromRow, toRow).join('\n');
          for (const told of text.split('\n')) expect(own).toContain(told);
          at = toRow;
        }
      }),
    );
  });
});
