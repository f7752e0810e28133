import fc from 'fast-check';

/** A nonce in the launcher's form; no test depends on its digits. */
export const NONCE = 'Zj00112233445566778899aabbccddeeff';

export const toBase64 = (text: string) => Buffer.from(text).toString('base64');

export const marker = (body: string, nonce = NONCE, end = '\x07') => `\x1b]7717;${nonce};${body}${end}`;
export const promptMarker = (cwd = '/home/me') => marker(`PROMPT;cwd_b64=${toBase64(cwd)};shell=sh;version=5`);
export const beginMarker = (cmd: string, seq = 1) =>
  marker(`BLOCK_BEGIN;seq=${seq};cmd_b64=${toBase64(cmd)};cwd_b64=${toBase64('/tmp')};ts=1`);
export const endMarker = (exit: number, seq = 1) => marker(`BLOCK_END;seq=${seq};exit=${exit};ts=2`, NONCE, '\x1b\\');

/** Pieces of streams: text, controls, whole and broken sequences, markers, and foreign and forged marks. */
const PIECES = [
  ...[
    'a',
    'Z',
    'Zj',
    'Zj001122',
    NONCE,
    '0',
    ' ',
    '~',
    'é',
    '漢',
    '👩‍👩‍👧',
    '🇩🇪',
    'e\u0301',
    '\u200d',
    '\u2028',
    '\ufeff',
  ],
  ...['\n', '\r\n', '\r', '\b', '\t', '\x07', '\0', '\x7f', '\x0b', '\x0e', '\x0f', '\x18', '\x1a', '\x1b', '\x1b\\'],
  ...['\u0085', '\u009b31m', '\u009b?1049h', '\u009d0;c1 title\u009c', '\u0090q', '\u009c', '\u0098'],
  ...[
    '\x1b[31m',
    '\x1b[0m',
    '\x1b[m',
    '\x1b[1;4:3;38:2::1:2:3;48;5;9m',
    '\x1b[38;2;9;8;7m',
    '\x1b[',
    '\x1b[3',
    '\x1b[;',
    '\x1b[?',
    '\x1b[1\n',
  ],
  ...[
    '\x1b[K',
    '\x1b[1K',
    '\x1b[2K',
    '\x1b[J',
    '\x1b[2J',
    '\x1b[3J',
    '\x1b[H',
    '\x1b[2;3H',
    '\x1b[A',
    '\x1b[4C',
    '\x1b[3D',
    '\x1b[999C',
  ],
  ...[
    '\x1b[5G',
    '\x1b[2X',
    '\x1b[2P',
    '\x1b[2@',
    '\x1b[3b',
    '\x1b7',
    '\x1b8',
    '\x1bM',
    '\x1bD',
    '\x1bE',
    '\x1bc',
    '\x1b(0',
    '\x1b(B',
    '\x1b)0',
  ],
  ...[
    '\x1b[?1049h',
    '\x1b[?1049l',
    '\x1b[?1049;25h',
    '\x1b[?25;1047l',
    '\x1b[?47h',
    '\x1b[?47l',
    '\x1b[?1049é',
    '\x1b[?10$49h',
    '\x1b[!p',
  ],
  ...[
    '\x1b]0;title\x07',
    '\x1b]2;two\x1b\\',
    '\x1b]0;',
    '\x1b]',
    '\x1b]8;;http://x.example/\x07',
    '\x1b]8;;\x1b\\',
    '\x1bP1$r',
    '\x1b_apc',
    '\x1b^pm',
  ],
  ...[
    '\x1b]7;file:///tmp\x07',
    '\x1b]9;4;1;50\x07',
    '\x1b]9;hello\x07',
    '\x1b]52;c;aGk=\x07',
    '\x1b]777;notify;t;b\x07',
    '\x1b]99;i=1:d=0;x\x07',
  ],
  ...[
    '\x1b]133;A\x07',
    '\x1b]133;B\x07',
    '\x1b]133;C\x07',
    '\x1b]133;D;1\x07',
    '\x1b]633;E;ls\\x3b\x07',
    '\x1b]633;C\x07',
    '\x1b]133;P;k=s\x07',
  ],
  ...[
    '\x1b]7717;',
    '\x1b]7717',
    marker('BLOCK_END;seq=1;exit=0', 'Zjffeeddccbbaa99887766554433221100'),
    marker('LATER;a=1'),
    marker('BLOCK_END', NONCE, '\x18'),
  ],
  ...[
    promptMarker(),
    beginMarker('ls -l'),
    endMarker(0),
    endMarker(130),
    `\u009d7717;${NONCE};BLOCK_END;seq=1;exit=3\u009c`,
    marker('BLOCK_BEGIN', NONCE, ''),
  ],
  ...['\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m          \r \r', '\x1b[1m\x1b[7m%', `${' '.repeat(30)}\r\r`],
].map((text) => Buffer.from(text));

/** Bytes that are invalid or incomplete UTF-8. */
const BROKEN = [
  [0xff],
  [0xc2],
  [0xc0, 0xaf],
  [0xe2, 0x82],
  [0xed, 0xa0, 0x80],
  [0xf0, 0x9f],
  [0xf4, 0x90, 0x80, 0x80],
  [0x9b],
  [0xe0],
].map((bytes) => Buffer.from(bytes));

/** Arbitrary and broken output, which every reader must survive. */
export const terminalStream: fc.Arbitrary<Buffer> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: fc.constantFrom(...BROKEN) },
      { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Buffer.from(bytes)) },
      { weight: 1, arbitrary: fc.stringMatching(/^[ -~]{1,12}$/).map((text) => Buffer.from(text)) },
    ),
    { maxLength: 40 },
  )
  .map((pieces) => Buffer.concat(pieces));

/** Cuts of a stream, as fractions of its length. */
export const cuts: fc.Arbitrary<number[]> = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

/** Cuts `bytes` into pieces with separate memory, like reads of a PTY. */
export function cutAt(bytes: Uint8Array, fractions: readonly number[]): Uint8Array[] {
  const places = [...fractions.map((fraction) => Math.floor(fraction * bytes.length)), 0, bytes.length].sort(
    (a, b) => a - b,
  );
  return places.slice(1).map((to, i) => bytes.slice(places[i], to));
}
