/** `count` different paragraphs of one line each. */
export function numberedRows(count: number, word = 'Row'): string {
  const rows = Array.from(
    { length: count },
    (_, at) => `${word} ${String(at + 1).padStart(2, '0')}: ${SAYINGS[at % SAYINGS.length]}`,
  );
  return rows.join('\n\n');
}

const SAYINGS = [
  'the quick brown fox jumps over the lazy dog.',
  'pack my box with five dozen liquor jugs.',
  'how vexingly quick daft zebras jump.',
  'sphinx of black quartz, judge my vow.',
];

/** Prose in long paragraphs, which wrap at every width. */
export const PROSE = [
  'The terminal keeps a record of everything that a program prints, byte by byte, and of the moment at which it came. From that record the screen can be shown again as it was at any time, which is why nothing in it may be changed afterwards.',
  'A command begins when the shell says so and ends when the shell says so; what lies between the two is its output. Programs that draw on the whole screen are no exception, though their output makes little sense as text.',
  'When a conversation is read from a screen, lines that were broken to fit are joined again, and words that were coloured get their meaning back. What cannot be known stays as it is.',
].join('\n\n');

export const MARKDOWN = `# Every kind of Markdown

A paragraph with **bold words**, *words in italics*, \`inline code\` and a [link](https://example.com/docs).

## Lists

- first point
- second point with \`code\`
  - a point below it
- third point

1. one
2. two
3. three

## Code

\`\`\`ts
export function add(a: number, b: number): number {
  return a + b;
}
\`\`\`

\`\`\`sh
npm test -- --watch
\`\`\`

## A table

| name | value |
| --- | --- |
| alpha | 1 |
| beta | 22 |

> A quotation of one line.

---

That was all.`;

export const WIDE_CODE = `Here is a long line:

\`\`\`py
def describe(first_argument, second_argument, third_argument, fourth_argument, fifth_argument, sixth_argument, seventh_argument):
    return "a string that is longer than most screens are wide, so that it has to be broken somewhere or cut off at the right edge"
\`\`\`

The lines above are not to be broken.`;

export const CJK = `日本語の文章はどこでも改行できるので、画面の幅に合わせて折り返されます。これは長い段落で、端末の幅が百桁でも一行には収まりません。

中文也是这样:每个字占两列,所以一行只能放下一半的字数。这一段同样比屏幕宽,需要换行。

Emoji 👍 and 🚀, a family 👨‍👩‍👧, a flag 🇩🇪, and accents: é ü ñ. Ελληνικά και русский.

- 一つ目
- 二つ目 ✅`;

export const QUOTE_AND_LISTS = `Here is what was asked for:

> Simple things should be simple.
> Complex things should be possible.

The quote is over, and a list follows:

- bread and butter
- a sentence that is long enough that it has to be broken over two rows of the screen before it comes to its end
- \`cheese\`

1. first
2. second

That was **all** of it.`;
