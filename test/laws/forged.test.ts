import fc from 'fast-check';
import { expect, test } from 'vitest';
import { feedEvents, textOf, withoutOutput } from '../events/feedEvents.ts';
import {
  beginMarker,
  cutAt,
  cuts,
  endMarker,
  marker,
  NONCE,
  promptMarker,
  toBase64,
} from '../events/terminalStream.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';

/** A nonce that a forger could invent: any but the right one. */
const wrongNonce = fc.oneof(
  fc.constantFrom(
    '',
    '0'.repeat(34),
    NONCE.slice(0, 33),
    NONCE.toUpperCase(),
    `Zj${'f'.repeat(32)}`,
    ` ${NONCE.slice(1)}`,
    'Zj',
  ),
  fc.string({ maxLength: 40 }).filter((text) => !text.includes(NONCE)),
);
const body = fc.oneof(
  fc.constantFrom(
    'BLOCK_BEGIN;seq=1;cmd_b64=cm0gLXJmIC8=',
    'BLOCK_END;seq=1;exit=0',
    'PROMPT;cwd_b64=L2V0Yw==',
    'BLOCK_BEGIN',
    'PROMPT',
  ),
  fc.string({ maxLength: 30 }).filter((text) => !text.includes(NONCE)),
);
const end = fc.constantFrom('\x07', '\x1b\\', '\u009c', '', '\x18');
const introducer = fc.constantFrom('\x1b]', '\u009d', '\x1b]0;x\x1b]', '\x1bP', '\x1b_');

/** Text that imitates a marker in every way that does not need the nonce. */
const forgery = fc.oneof(
  fc
    .tuple(introducer, fc.constantFrom('7717', '07717', ' 7717'), wrongNonce, body, end)
    .map(([open, number, nonce, rest, close]) => `${open}${number};${nonce};${rest}${close}`),
  fc
    .tuple(
      fc.constantFrom('133;', '633;'),
      fc.constantFrom('A', 'B', 'C', 'D;0', 'D', 'E;rm -rf /', 'C;cmdline_url=rm', 'P;Cwd=/etc', 'N', 'I'),
    )
    .map(([osc, mark]) => `\x1b]${osc}${mark}\x07`),
  fc.constantFrom(
    '__FWS_BLOCK_BEGIN__ 1',
    '{NONCE} END',
    'BLOCK_END;exit=0',
    '\x1b]',
    '\x1b',
    '7717;',
    'plain text\r\n',
    '\u009d7717;',
  ),
);
const forgeries = fc.array(forgery, { maxLength: 15 }).map((list) => Buffer.from(list.join('')));
const CANNOT_SPEAK = new Set(['begin', 'end', 'prompt']);

test('after one true prompt no forged mark begins, ends or prompts, however it is cut', () => {
  fc.assert(
    fc.property(forgeries, cuts, (forged, fractions) => {
      const stream = Buffer.concat([Buffer.from(promptMarker()), forged, Buffer.from(`\x18\x07${endMarker(7)}`)]);
      const marks = feedEvents(cutAt(stream, fractions)).filter((event) => CANNOT_SPEAK.has(event.type));
      expect(marks.map((mark) => [mark.type, 'trusted' in mark && mark.trusted])).toEqual([
        ['prompt', true],
        ['end', true],
      ]);
    }),
    fuzzRuns(10_000),
  );
});

test('before any prompt no forged mark is trusted', () => {
  fc.assert(
    fc.property(forgeries, cuts, (forged, fractions) => {
      const marks = feedEvents(cutAt(forged, fractions)).filter((event) => CANNOT_SPEAK.has(event.type));
      expect(marks.filter((mark) => 'trusted' in mark && mark.trusted)).toEqual([]);
    }),
    fuzzRuns(3000),
  );
});

test('whatever was left unfinished, the next true marker is found, and the command in it is exact', () => {
  const unfinished = fc.oneof(
    forgeries.map((bytes) => bytes.toString()),
    fc.constantFrom(
      '\x1b]0;never ends\r\nhello\r\n',
      '\x1bPnever',
      '\x1b_apc',
      '\x1b^pm',
      '\x1bXsos',
      '\x1b[31;',
      '\x1b',
      '\x1b(',
      '\u009d52;c;',
      '\x1b]1337;File=:',
      `\x1b]7717;${'0'.repeat(34)};BLOCK`,
    ),
  );
  fc.assert(
    fc.property(
      unfinished,
      fc.string({ minLength: 1 }).filter((cmd) => !cmd.includes('\0') && cmd.isWellFormed()),
      cuts,
      (text, cmd, fractions) => {
        const stream = Buffer.from(promptMarker() + text + beginMarker(cmd));
        expect(feedEvents(cutAt(stream, fractions)).findLast((event) => event.type === 'begin')).toMatchObject({
          trusted: true,
          cmd,
        });
      },
    ),
    fuzzRuns(3000),
  );
});

test('a true nonce where no nonce belongs makes no mark', () => {
  const lines = [
    `echo ${NONCE}`,
    `\x1b]7717;x;${NONCE};BLOCK_END\x07`,
    `\x1b]8;;${NONCE}\x07`,
    `\x1b]7717;;${NONCE}\x07`,
    `${NONCE};BLOCK_END;exit=0`,
  ];
  for (const line of lines) {
    const events = feedEvents([Buffer.from(promptMarker() + line)]);
    expect(events.filter((event) => event.type === 'end' || event.type === 'begin')).toEqual([]);
    expect(textOf(events)).toBe(line.replaceAll(NONCE, '0'.repeat(34)));
  }
});

test('a replayed record of an earlier session is no more than text', () => {
  const recorded = Buffer.from(
    (promptMarker() + beginMarker('rm -rf /') + endMarker(0)).replaceAll(NONCE, '0'.repeat(34)),
  );
  const events = feedEvents([Buffer.from(promptMarker()), recorded]);
  expect(withoutOutput(events).map((event) => event.type)).toEqual(['prompt', 'spoof', 'spoof', 'spoof']);
  expect(textOf(events)).toBe(recorded.toString());
});

test.each([
  ['base64 that is none', 'cmd_b64=!!!!', null],
  ['base64 without its padding', 'cmd_b64=YQ', null],
  ['a NUL', `cmd_b64=${toBase64('a\0b')}`, null],
  ['bytes that are not UTF-8', `cmd_b64=${Buffer.from([0xff, 0x61]).toString('base64')}`, null],
  ['one megabyte', `cmd_b64=${'A'.repeat(1024 * 1024)}`, null],
  ['no text', 'ts=1', null],
  ['an empty text', 'cmd_b64=', null],
  ['a text', `cmd_b64=${toBase64('printf "é;=\\n"')}`, 'printf "é;=\\n"'],
])('B80: a marker with %s opens a block whose text is right or absent', (_, fields, cmd) => {
  const stream = Buffer.from(marker(`BLOCK_BEGIN;${fields}`) + marker('BLOCK_END;exit=0'));
  const events = feedEvents(cutAt(stream, [0.1, 0.5, 0.9]));
  expect(events.map((event) => ({ ...event, at: 0, end: 0 }))).toEqual([
    { type: 'begin', at: 0, end: 0, trusted: true, by: 'hook', cmd, cwd: null, ignoresSpace: false },
    { type: 'end', at: 0, end: 0, trusted: true, by: 'hook', exitCode: 0 },
  ]);
});

test('a true marker that is never ended gives the output back after two megabytes', () => {
  const flood = Buffer.alloc(3 * 1024 * 1024, 0x78);
  const events = feedEvents([Buffer.from(marker('BLOCK_END;', NONCE, '')), flood]);
  const start = marker('BLOCK_END;', NONCE, '').length;
  expect(events).toMatchObject([{ type: 'output', at: 2 * 1024 * 1024, end: start + flood.length }]);
});
