import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NonceMask } from '../../src-main/events/masks/NonceMask.ts';
import { feedEvents } from '../events/feedEvents.ts';
import { beginMarker, cutAt, cuts, endMarker, NONCE, promptMarker, terminalStream } from '../events/terminalStream.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';

test('wherever a stream is cut, its events are the same', () => {
  fc.assert(
    fc.property(terminalStream, cuts, (stream, fractions) => {
      expect(feedEvents(cutAt(stream, fractions))).toEqual(feedEvents([stream]));
    }),
    fuzzRuns(3000),
  );
});

const SESSION = Buffer.from(
  `motd\r\n${promptMarker()}\x1b]133;P\x07$ \x1b]133;B\x07vi x\r\n${beginMarker('vi x')}\x1b[?1049;25h\x1b[H~é漢\u009b2J\x1b[?47l${endMarker(1)}` +
    `${promptMarker('/tmp')}\x1b]7717;Zj00000000000000000000000000000000;BLOCK_BEGIN;seq=2\x07\x1b]0;never ends${beginMarker('ls')}a\x07b\x18\x1b]2;t\x1b\\${endMarker(0)}`,
);

test('one session gives the same events when cut in two at every byte, and byte by byte', () => {
  const whole = feedEvents([SESSION]);
  for (let at = 0; at <= SESSION.length; at++)
    expect(feedEvents([SESSION.subarray(0, at), SESSION.slice(at)]), `cut at ${at}`).toEqual(whole);
  expect(feedEvents(Array.from(SESSION, (byte) => Uint8Array.of(byte)))).toEqual(whole);
});

test('output and markers together hold every byte once and in order', () => {
  fc.assert(
    fc.property(terminalStream, cuts, (stream, fractions) => {
      let at = 0;
      const masked = Buffer.from(stream.toString('latin1').replaceAll(NONCE, '0'.repeat(NONCE.length)), 'latin1');
      for (const event of feedEvents(cutAt(stream, fractions))) {
        if (event.type !== 'output') continue;
        expect(event.at).toBeGreaterThanOrEqual(at);
        if (event.at > at)
          expect(masked.subarray(at, event.at).toString('latin1')).toMatch(
            /^(\x1b\]|\xc2\x9d)7717;0{34};(BLOCK_BEGIN|BLOCK_END|PROMPT)/,
          );
        expect(event.hex).toBe(masked.subarray(event.at, event.end).toString('hex'));
        at = event.end;
      }
      if (at < masked.length)
        expect(masked.subarray(at).toString('latin1')).toMatch(
          /^(\x1b\]|\xc2\x9d)7717;0{34};(BLOCK_BEGIN|BLOCK_END|PROMPT)/,
        );
    }),
    fuzzRuns(1500),
  );
});

const nonceStream = fc
  .array(fc.constantFrom(NONCE, NONCE.slice(0, 5), NONCE.slice(0, 33), NONCE.slice(1), 'Z', 'Zj', 'x', '\n', 'Zjf'), {
    maxLength: 20,
  })
  .map((pieces) => Buffer.from(pieces.join('')));

test('the mask lets no nonce through, loses no byte and tells the same places, wherever it is cut', () => {
  fc.assert(
    fc.property(nonceStream, cuts, (stream, fractions) => {
      const whole = stream.toString().replaceAll(NONCE, '0'.repeat(34));
      const places = [...stream.toString().matchAll(new RegExp(NONCE, 'g'))].map((match) => match.index + 7);
      const mask = new NonceMask(NONCE, 7);
      const parts = cutAt(stream, fractions).map((chunk) => {
        const { bytes, nonceAt } = mask.feed(chunk);
        return { text: Buffer.from(bytes).toString(), nonceAt, held: mask.heldBytes };
      });
      const rest = Buffer.from(mask.end().bytes).toString();
      const text = parts.map((part) => part.text).join('') + rest;
      expect(Math.max(0, ...parts.map((part) => part.held))).toBeLessThanOrEqual(33);
      expect(parts.flatMap((part) => part.nonceAt)).toEqual(places);
      expect(text).toHaveLength(whole.length);
      // Only an incomplete nonce at the very end may differ, which is masked too.
      expect(text.slice(0, text.length - rest.length)).toBe(whole.slice(0, text.length - rest.length));
      expect(rest).toMatch(rest.length > 8 ? /^0*$/ : /^[Zj0-9a-f]*$/);
    }),
    fuzzRuns(2000),
  );
});

test('a nonce that a flush has come between is still masked but for its first bytes, and still told', () => {
  for (let at = 1; at < NONCE.length; at++) {
    const mask = new NonceMask(NONCE);
    const parts = [
      mask.feed(Buffer.from(`a${NONCE.slice(0, at)}`)),
      mask.flush(),
      mask.feed(Buffer.from(`${NONCE.slice(at)}b`)),
      mask.end(),
    ];
    const given = at <= 8 ? NONCE.slice(0, at) : '';
    expect(parts.map(({ bytes }) => Buffer.from(bytes).toString()).join(''), `cut at ${at}`).toBe(
      `a${given}${'0'.repeat(34 - given.length)}b`,
    );
    expect(parts.flatMap(({ nonceAt }) => nonceAt)).toEqual([1]);
  }
});
