import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeFrame, FrameReader } from '../../src-main/ptyHost/protocol/frames.ts';
import { commonVersion, PROTOCOL_VERSION, SERVED_VERSIONS } from '../../src-main/ptyHost/protocol/messages.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';

const frame = fc.record({
  header: fc.record({ type: fc.string(), text: fc.string() }),
  bytes: fc.uint8Array({ maxLength: 300 }),
});

function cut(stream: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const length of [...lengths, stream.length]) {
    if (at < stream.length) pieces.push(stream.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

describe('frames', () => {
  test('arrive whole and in order, however the stream is divided', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 40 })), (frames, lengths) => {
        const stream = Buffer.concat(frames.map(({ header, bytes }) => encodeFrame(header, bytes)));
        const reader = new FrameReader();
        const read = cut(stream, lengths).flatMap((piece) =>
          reader.push(piece).map(({ header, bytes }) => ({ header, bytes: Uint8Array.from(bytes) })),
        );
        expect(read).toEqual(frames.map(({ header, bytes }) => ({ header, bytes: Uint8Array.from(bytes) })));
      }),
      fuzzRuns(300),
    );
  });

  test('are refused when their length or their header is of another protocol', () => {
    const longHeader = encodeFrame({ type: 'x' });
    longHeader.writeUInt32LE(longHeader.length, 4);
    for (const stream of [Buffer.from('GET / HTTP/1.1\r\n\r\n'), longHeader])
      expect(() => new FrameReader().push(stream)).toThrow();
  });
});

describe('versions', () => {
  test('of a host up to two behind the core are served, and the newest common one is spoken', () => {
    const hosts = [PROTOCOL_VERSION, PROTOCOL_VERSION - 1, PROTOCOL_VERSION - 2].filter((version) => version > 0);
    expect(hosts.map((version) => commonVersion([version]))).toEqual(hosts);
    expect(commonVersion([...SERVED_VERSIONS].reverse())).toBe(PROTOCOL_VERSION);
    expect(commonVersion([PROTOCOL_VERSION + 1, ...SERVED_VERSIONS])).toBe(PROTOCOL_VERSION);
  });

  test('that both sides do not share are refused', () => {
    expect([commonVersion([]), commonVersion([PROTOCOL_VERSION + 1]), commonVersion([0])]).toEqual([null, null, null]);
  });
});
