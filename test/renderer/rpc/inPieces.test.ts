import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Uploads } from '../../../src-main/core/uploads/Uploads.ts';
import { inPieces, PIECE_CHARS, type TextEnd } from '../../../src-renderer/rpc/inPieces.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

const MESSAGE_BYTES = 1024 * 1024;

test('a text of any length arrives whole, in messages that a connection takes, one after the other', async () => {
  const unit = fc.constantFrom('a', 'é', '\u0000', '\u{1f600}', '"', '\n');
  const lengths = fc.constantFrom(0, 1, PIECE_CHARS - 1, PIECE_CHARS, PIECE_CHARS + 1, 2 * PIECE_CHARS, 700_001);
  await fc.assert(
    fc.asyncProperty(fc.string({ unit, minLength: 1, maxLength: 7 }), lengths, async (seed, length) => {
      const text = seed.repeat(Math.ceil(length / seed.length)).slice(0, length);
      const uploads = new Uploads(1_000_000);
      let underWay = 0;
      const passes = <T>(message: T): T => {
        const json = JSON.stringify(message);
        expect(Buffer.byteLength(json)).toBeLessThan(MESSAGE_BYTES);
        return JSON.parse(json);
      };
      const upload = async (input: { upload: string; piece: string }) => {
        underWay += 1;
        expect(underWay).toBe(1);
        await Promise.resolve();
        const { upload: name, piece } = passes(input);
        uploads.add(name, piece);
        underWay -= 1;
      };
      const call = async (end: TextEnd) => uploads.take(passes(end).upload, passes(end).text);
      expect(await inPieces(text, upload, call)).toBe(text);
    }),
    fuzzRuns(30),
  );
});

test('a text without its beginning is refused, and one that is too long is forgotten', () => {
  const uploads = new Uploads(10);
  expect(uploads.take('never', 'end')).toBeUndefined();
  expect([uploads.add('a', '12345678'), uploads.add('a', '901')]).toEqual([true, false]);
  expect(uploads.take('a', '')).toBeUndefined();
});
