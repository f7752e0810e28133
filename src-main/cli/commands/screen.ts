import { type Command, InvalidArgumentError, Option } from 'commander';
import type { FrameRow } from '../../contract/screen/frame.ts';
import type { ScreenDiff, ScreenReading } from '../../contract/screen/screen.ts';
import { escapeLine } from '../../util/escapeControls.ts';
import { helpText } from '../print/help.ts';
import { printJson, printLines, remark } from '../print/output.ts';
import { type Moment, parseMoment } from '../print/parseMoment.ts';
import { findTerminal } from '../record/findBlocks.ts';
import { RecordReader } from '../record/RecordReader.ts';
import { readScreen, readScreenAt } from '../record/screens.ts';

export function addScreen(program: Command): void {
  program
    .command('screen')
    .description('Print the screen as text or as a picture')
    .argument('[terminal]', 'id of a terminal, the start of one, or `last` (the one used last)', 'last')
    .option('--since <seq>', 'print only what changed since this frame (number from --json)', parseSeq)
    .option('--epoch <epoch>', 'epoch of that frame')
    .option('--at <when>', 'screen at an earlier time: a seq, 90s/5m/2h ago, 14:03, or a date', (text) =>
      parseMoment(text, Date.now()),
    )
    .option('--scrollback <n>', 'also print this many rows above the screen', parseRows, 0)
    .option('--png <file>', 'write a PNG picture to this file (- for stdout)')
    .option('--svg <file>', 'write an SVG picture to this file (- for stdout)')
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
  'If Hansard is not running, and for closed terminals, this is the last recorded screen (source: persisted).',
  'Recorded and earlier screens have no colours.',
  'With --since: `~` a changed row, `+` an added row, `-` a row that is now blank; a long difference is the whole screen.',
  'A picture shows secrets too. --redact covers those whose form Hansard knows; check a picture before you share it.',
];
const EXAMPLES = [
  ['hansard screen', 'print the screen of the terminal used last'],
  ['hansard screen last --at 5m', 'print its screen of five minutes ago'],
  ['hansard screen last --png screen.png', 'save it as a picture'],
  ['hansard screen t1 --json | jq -r .reading.frame.title', 'print its title'],
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

/** Writes a picture if requested; returns whether it did. */
async function drawn(reading: ScreenReading, { png, svg, ...options }: ScreenOptions): Promise<boolean> {
  if (png === undefined && svg === undefined) return false;
  const { writePicture } = await import('../recording/screenPicture.ts'); // imported here: only a picture needs it
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
