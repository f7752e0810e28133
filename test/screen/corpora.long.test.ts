import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { screenState } from '../support/screenState.ts';
import { readBadInputs, readFolder, readFuzzCorpora } from '../support/vtFixtures.ts';
import { vtStream } from '../support/vtStreams.ts';

const SIZE = { cols: 80, rows: 24, scrollbackLines: 100 };

/** The allowed forms of an emulator's answers; the output can only influence their digits. */
const ALLOWED_REPLY =
  /^\x1b(\[[?>]?[0-9;]*[cnRy]|\[[?]?[0-9;]*\$y|P[01]\$r[0-9;"' a-z]{0,16}\x1b\\|\]1[0-2];rgb:[0-9a-f/]{14}\x1b\\|\[[46];[0-9]+;[0-9]+t|\[\?[0-9;]*S|_G[iIp=0-9,]+;(OK|E[A-Z]+:[a-zA-Z ,]+)\x1b\\|\]1337;ReportCellSize=20\.0;8\.0;1\.0\x1b\\)$/;

interface Played {
  model: ScreenModel;
  replies: string[];
  ms: number;
}

function play(...chunks: readonly Uint8Array[]): Played {
  const model = new ScreenModel(SIZE, new FakeClock());
  model.setColors({ foreground: '#d0d0d0', background: '#101010', cursor: '#ffffff' });
  const replies: string[] = [];
  model.onReply((reply) => replies.push(reply));
  const began = process.cpuUsage(); // CPU time of this process, because other load must not break a limit
  for (const chunk of chunks) model.write(chunk);
  const { user, system } = process.cpuUsage(began);
  const ms = (user + system) / 1000;
  return { model, replies, ms };
}

function isSound({ model, replies, ms }: Played): boolean {
  const { cursor, rowsCount, cols } = model.frame();
  const isInside = cursor.row >= 0 && cursor.row < rowsCount && cursor.col >= 0 && cursor.col <= cols;
  return isInside && ms < 1000 && replies.length <= 50 && replies.every((reply) => ALLOWED_REPLY.test(reply));
}

/** Cuts `bytes` at each of `cuts` (any numbers). */
function cut(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...cuts.map((at) => at % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((to, index) => bytes.subarray(places[index], to));
}

const corpora = [
  ...readFuzzCorpora(),
  ...readFolder('xtermjs-escape-files', '.in'),
  ...[...readBadInputs()].map(([path, bytes]) => ({ path, bytes })),
];

describe('inputs made to break terminals', () => {
  test('more than 3,900 inputs are played', () => {
    expect(corpora.length).toBeGreaterThan(3900);
  });

  test('none throws, takes a second, moves the cursor off the screen or gets an answer that is not allowed', () => {
    expect(corpora.filter(({ bytes }) => !isSound(play(bytes))).map(({ path }) => path)).toEqual([]);
  });

  test('one emulator that gets them all one after another stays sound', () => {
    expect(isSound({ ...play(...corpora.map(({ bytes }) => bytes)), ms: 0 })).toBe(true);
  });

  test('random bytes are sound too', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => isSound(play(bytes))),
      fuzzRuns(3000),
    );
  });

  test('sequences with any numbers are sound too', () => {
    const number = fc.oneof(fc.nat(300), fc.constantFrom(99_999_999, 2_147_483_647, 2 ** 40)).map(String);
    const sequence = fc
      .tuple(
        fc.constantFrom('', '?', '>', '=', '!'),
        fc.array(number, { maxLength: 4 }),
        fc.constantFrom('', ' ', '$', '"', "'", '#'),
        fc.integer({ min: 0x40, max: 0x7e }),
      )
      .map(
        ([prefix, numbers, between, final]) =>
          `\x1b[${prefix}${numbers.join(';')}${between}${String.fromCharCode(final)}`,
      );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(sequence, fc.constantFrom('A', '漢', '\r\n', '\x1b]11;?\x07', '\x1bP$qm\x1b\\')), {
          maxLength: 30,
        }),
        (parts) => isSound(play(Buffer.from(parts.join('')))),
      ),
      fuzzRuns(2000),
    );
  });
});

describe('chunks', () => {
  test('where a stream is cut does not matter to the screen or to the answers', () => {
    fc.assert(
      fc.property(vtStream, fc.array(fc.nat(), { maxLength: 6 }), (stream, cuts) => {
        const whole = play(stream);
        const parts = play(...cut(stream, cuts));
        expect([screenState(parts.model), parts.replies]).toEqual([screenState(whole.model), whole.replies]);
      }),
      fuzzRuns(1500),
    );
  });

  test('nor where hostile inputs are cut', () => {
    const picks = corpora.filter(({ bytes }, index) => index % 5 === 0 && bytes.length > 1 && bytes.length < 2000);
    const differing = picks.filter(({ bytes }, index) => {
      const whole = play(bytes);
      const parts = play(...cut(bytes, [index, index * 7 + 3]));
      return JSON.stringify(screenState(whole.model)) !== JSON.stringify(screenState(parts.model));
    });
    expect(differing.map(({ path }) => path)).toEqual([]);
  });
});
