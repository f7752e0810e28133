import fc from 'fast-check';

const number = fc.nat({ max: 30 });
const csi = (finals: string) => fc.tuple(number, fc.constantFrom(...finals)).map(([n, final]) => `\x1b[${n}${final}`);

const text = fc.constantFrom(
  'a',
  'hello world ',
  'x'.repeat(25),
  '漢字かな',
  'é',
  'e\u0301',
  '👍🏽',
  '👩‍👩‍👧‍👦',
  '🇩🇪🇫🇷',
  '🇩',
  '\u0301',
  '\u200d',
  '각',
  '가',
  '　',
  'a b  c',
);
const sgr = fc
  .array(
    fc.constantFrom(
      '0',
      '1',
      '2',
      '3',
      '4',
      '4:3',
      '7',
      '9',
      '22',
      '24',
      '27',
      '31',
      '42',
      '97',
      '38;5;200',
      '38;5;3',
      '48;2;1;2;3',
      '58;5;9',
      '39',
      '49',
    ),
    { maxLength: 3 },
  )
  .map((codes) => `\x1b[${codes.join(';')}m`);
const move = fc.oneof(
  csi('ABCDGEFd'),
  fc.tuple(number, number).map(([row, col]) => `\x1b[${row};${col}H`),
  fc.constantFrom('\r', '\n', '\r\n', '\b', '\t', '\x1bM', '\x1bD', '\x1bE', '\x1b7', '\x1b8'),
);
const edit = fc.oneof(
  csi('JK').filter((sequence) => /[0-3][JK]$/.test(sequence) && sequence.length === 4),
  csi('LMP@XSTb'),
  fc.constantFrom('\x1b[K', '\x1b[J', '\x1b#8'),
);
const mode = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        '?1',
        '?6',
        '?7',
        '?25',
        '?45',
        '?47',
        '?66',
        '?1000',
        '?1003',
        '?1004',
        '?1006',
        '?1049',
        '?2004',
        '4',
      ),
      fc.constantFrom('h', 'l'),
    )
    .map(([id, set]) => `\x1b[${id}${set}`),
  fc.tuple(number, number).map(([top, bottom]) => `\x1b[${top};${bottom}r`),
  fc.constantFrom(
    '\x1b[r',
    '\x1bH',
    '\x1b[g',
    '\x1b[3g',
    '\x1b(0',
    '\x1b(B',
    '\x1b)0',
    '\x0e',
    '\x0f',
    '\x1b[!p',
    '\x1b[4 q',
  ),
);
const link = fc.constantFrom(
  '\x1b]8;;https://example.com/a\x07',
  '\x1b]8;id=1;https://example.com/b\x1b\\',
  '\x1b]8;;\x07',
  '\x1b]0;title\x07',
);

type Weighted = fc.WeightedArbitrary<string>;

/** Streams of up to `maxLength` pieces, as UTF-8 bytes. */
function streamOf(maxLength: number, ...pieces: Weighted[]): fc.Arbitrary<Uint8Array> {
  return fc
    .array(fc.oneof(...pieces), { minLength: 1, maxLength })
    .map((parts) => new TextEncoder().encode(parts.join('')));
}

/** Streams that a program could print: text of all widths, styles, cursor moves, edits and modes. */
export const vtStream: fc.Arbitrary<Uint8Array> = streamOf(
  60,
  { weight: 6, arbitrary: text },
  { weight: 2, arbitrary: sgr },
  { weight: 4, arbitrary: move },
  { weight: 2, arbitrary: edit },
  { weight: 1, arbitrary: mode },
  { weight: 1, arbitrary: link },
);

/** Sequences after which xterm has state that no sequence sets directly: current link, charset or underline colour, a character to join to. */
const HIDDEN_STATE = /\x1b(?:\[\?7l|\[4h|8|\[\?1049l|[()]0|\]8;|\[[0-9:;]*58;5)|\x0e/;
/** The same without character sets, unless a character that a set replaces may join with the next one. */
const HIDDEN_BUT_CHARSETS =
  /\x1b(?:\[\?7l|\[4h|8|\[\?1049l|\]8;|\[[0-9:;]*58;5)|\x1b[()*+][0A4].*[\u0301\u200d]|[\u0301\u200d].*\x1b[()*+][0A4]/s;

/** Streams whose state can be serialised exactly at any point. */
export const attachableStream: fc.Arbitrary<Uint8Array> = vtStream.filter(
  (stream) => !HIDDEN_STATE.test(new TextDecoder().decode(stream)),
);

/** Pieces of sequences: introducers without an end, controls and text in the middle, strings that never end or end with C1. */
const broken = fc.constantFrom(
  '\x1b',
  '\x1b\n',
  '\x1b[',
  '\x1b[3\n1',
  '\x1b[3',
  '\x1b[?',
  '\x1b[1;2;',
  '\x1b(',
  '\x1b#',
  '\x1b]0;ti',
  '\x1b]8;;https://example.com/',
  '\x1bP$q',
  '\x1b_apc',
  '\x1b\\',
  '\x18',
  '\x1a',
  '\x07',
  '\x7f',
  '\x00',
  '\x0b',
  '\x0c',
  '\u0085',
  '\u0084',
  '\u008d',
  '\u009b2C',
  '\u009c',
  '\u009d0;t\u009c',
  '\x1b[1"q',
  '\x1b[2"q',
  '\x1b[?2J',
  '\x1b[?2K',
  '\x1b(A',
  '\x1b(4',
  '\x1b*0',
  '\x1bn',
  '\x1bo',
);

/** Streams that an interrupted, hostile or careless program could print. */
export const brokenStream: fc.Arbitrary<Uint8Array> = streamOf(
  40,
  { weight: 4, arbitrary: text },
  { weight: 5, arbitrary: broken },
  { weight: 2, arbitrary: sgr },
  { weight: 3, arbitrary: move },
  { weight: 2, arbitrary: edit },
  { weight: 1, arbitrary: mode },
);

/** A wide character that wraps leaves a blank cell. With protection on, the cell is protected, and no sequence makes a protected blank. */
const PROTECTED_BLANK = /(?=.*\x1b\[1"q).*[\u{1100}-\u{1ffff}]/su;

/** Broken streams whose state can be serialised exactly at any point. */
export const attachableBrokenStream: fc.Arbitrary<Uint8Array> = brokenStream.filter((stream) => {
  const text = new TextDecoder().decode(stream);
  return !HIDDEN_BUT_CHARSETS.test(text) && !PROTECTED_BLANK.test(text);
});
