import { type Command, InvalidArgumentError, Option } from 'commander';
import type { FrameRow } from '../contract/frame.ts';
import type { ScreenDiff, ScreenReading } from '../contract/screen.ts';
import { escapeLine } from '../util/escapeControls.ts';
import { helpText } from './help.ts';
import { printJson, printLines, remark } from './output.ts';
import { type Moment, parseMoment } from './parseMoment.ts';
import { findTerminal } from './record/findBlocks.ts';
import { RecordReader } from './record/RecordReader.ts';
import { readScreen, readScreenAt } from './record/screens.ts';

export function addScreen(program: Command): void {
  program
    .command('screen')
    .description('print what is on the screen of a terminal, also of one that has ended')
    .argument('[terminal]', 'id of a terminal, the start of one, or `last` (the one used last)', 'last')
    .option('--since <seq>', 'only what changed since the frame with that number (--json tells it)', parseSeq)
    .option('--epoch <epoch>', 'the epoch that belongs to that number')
    .option('--at <when>', 'as it was: a seq, 90s/5m/2h ago, 14:03, or a date', (text) => parseMoment(text, Date.now()))
    .option('--scrollback <n>', 'also so many rows from above the screen', parseRows, 0)
    .option('--png <file>', 'as a picture, into this file (- for stdout)')
    .option('--svg <file>', 'the same as SVG')
    .addOption(new Option('--theme <theme>', 'colours of the picture').choices(['dark', 'light']).default('dark'))
    .option('--redact', 'cover secrets in the picture')
    .option('--json', 'one JSON document: {version, reading}')
    .addHelpText(
      'after',
      helpText({
        notes: NOTES,
        examples: EXAMPLES,
        exits: ['ok', 'usage', 'dataErr', 'noInput', 'unavailable', 'software', 'ioError'],
      }),
    )
    .action(show);
}

const NOTES = [
  'Without a running core, and for closed terminals, the last recorded screen is printed (source: persisted);',
  'of it and of earlier moments the text is known and not the colours.',
  'With --since: `~` a row that changed, `+` one that was added, `-` one that is blank now; a long difference is the',
  'whole screen instead.',
  'A picture shows what the screen shows, secrets too unless --redact covers them; no list of their forms is ever complete.',
];
const EXAMPLES = [
  ['hansard screen', 'the screen of the terminal used last'],
  ['hansard screen last --at 5m', 'what was on it five minutes ago'],
  ['hansard screen last --png screen.png', 'as a picture, to show to somebody'],
  ['hansard screen t1 --json | jq -r .reading.frame.title', 'its title'],
] as const;

interface ScreenOptions {
  since?: number;
  epoch?: string;
  at?: Moment;
  scrollback: number;
  png?: string;
  svg?: string;
  theme: 'dark' | 'light';
  redact?: boolean;
  json?: boolean;
}

async function show(wanted: string, options: ScreenOptions): Promise<void> {
  const { at, since, epoch, scrollback, json } = options;
  const record = await RecordReader.open();
  try {
    if (record.silence) remark(record.silence);
    const { id } = await findTerminal(record, wanted);
    const query = { scrollback, ...(since !== undefined && { since }), ...(epoch !== undefined && { epoch }) };
    const reading = at ? await readScreenAt(record, id, at) : await readScreen(record, id, query);
    if (await drawn(reading, options)) return;
    if (json) await printJson({ version: 1, reading });
    else await printLines(linesOf(reading).map((line) => (process.stdout.isTTY ? escapeLine(line) : line)));
  } finally {
    record.dispose();
  }
}

/** Whether it was a picture that was asked for. */
async function drawn(reading: ScreenReading, { png, svg, ...options }: ScreenOptions): Promise<boolean> {
  if (png === undefined && svg === undefined) return false;
  const { writePicture } = await import('./screenPicture.ts'); // only here: no other look at a screen needs it
  if (svg !== undefined) await writePicture(reading, { format: 'svg', file: svg }, options);
  if (png !== undefined) await writePicture(reading, { format: 'png', file: png }, options);
  return true;
}

/** A screen as lines, without the blank ones at its end. */
function linesOf(reading: ScreenReading): string[] {
  const above = reading.scrollback.map(textOf);
  if (!reading.full) return [...above, ...diffLines(reading.diff)];
  const lines = [...above, ...reading.frame.rows.map(textOf)];
  return lines.slice(0, lines.findLastIndex((line) => line.trimEnd() !== '') + 1);
}

function diffLines({ scrolledBy, changed, added, removed }: ScreenDiff): string[] {
  if (scrolledBy > 0) remark(`the screen scrolled by ${scrolledBy}`);
  const rows = [
    ...changed.map(({ row, line }) => ({ row, text: `~${row} ${textOf(line)}` })),
    ...added.map(({ row, line }) => ({ row, text: `+${row} ${textOf(line)}` })),
    ...removed.map((row) => ({ row, text: `-${row}` })),
  ];
  return rows.sort((a, b) => a.row - b.row).map(({ text }) => text);
}

function textOf({ text }: FrameRow): string {
  return text;
}

export function parseSeq(text: string): number {
  const seq = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(seq)) throw new InvalidArgumentError('a whole number from 0 on.');
  return seq;
}

const MAX_SCROLLBACK = 1000;

function parseRows(text: string): number {
  const rows = Number(text);
  if (!/^\d+$/.test(text) || rows > MAX_SCROLLBACK)
    throw new InvalidArgumentError(`a whole number from 0 to ${MAX_SCROLLBACK}.`);
  return rows;
}
