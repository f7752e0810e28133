import type { CastEvent } from '../../recordings/formats/CastReader.ts';
import { blankSecrets } from '../../redaction/redactSecrets.ts';
import { secretSpansInRows } from '../../redaction/secretSpansInRows.ts';
import { ScreenModel } from '../../screen/emulator/ScreenModel.ts';

/** Replaces each character of a secret, so that rows and columns stay. */
const BLANK = '•';
/** Shorter pieces at the end of a row may too easily be part of other words. */
const MIN_PIECE_CHARS = 8;

export interface RedactedEvents {
  readonly events: readonly CastEvent[];
  /** Number of redacted secrets. */
  readonly count: number;
  /** Number of pieces of secrets that a screen still shows. */
  readonly left: number;
}

/**
 * Output without its secrets, with the same length. A secret may span several events, or rows between which a program moved the cursor; the screens
 * are searched for the latter.
 */
export function redactedEvents(events: readonly CastEvent[], size: { cols: number; rows: number }): RedactedEvents {
  let { text, count } = blankSecrets(events.map(outputOf).join(''));
  const pieces = piecesShown(cut(events, text), size);
  if (pieces.size === 0) return { events: cut(events, text), count, left: 0 };
  for (const piece of pieces) {
    if (piece.length < MIN_PIECE_CHARS || !text.includes(piece)) continue;
    text = text.replaceAll(piece, BLANK.repeat(piece.length));
    count += 1;
  }
  const redacted = cut(events, text);
  return { events: redacted, count, left: piecesShown(redacted, size).size };
}

function outputOf(event: CastEvent): string {
  return event.type === 'output' ? event.text : '';
}

/** Splits `text`, which is as long as all output together, at the borders of the events. */
function cut(events: readonly CastEvent[], text: string): CastEvent[] {
  let from = 0;
  return events.map((event) => {
    if (event.type !== 'output') return event;
    const to = from + event.text.length;
    const own = { ...event, text: text.slice(from, to) };
    from = to;
    return own;
  });
}

/** The parts of rows that belong to a secret, on any screen. */
function piecesShown(events: readonly CastEvent[], size: { cols: number; rows: number }): Set<string> {
  const model = new ScreenModel({ ...size, scrollbackLines: 0 });
  const pieces = new Set<string>();
  try {
    for (const event of events) {
      if (event.type === 'resize') model.resize(event);
      if (event.type !== 'output') continue;
      model.write(Buffer.from(event.text));
      const { rows, cols } = model.frame();
      for (const [row, units] of secretSpansInRows(rows, cols).entries())
        for (const piece of runsOf(rows[row]?.text ?? '', units)) pieces.add(piece);
    }
  } finally {
    model.dispose();
  }
  return pieces;
}

function runsOf(text: string, units: ReadonlySet<number>): string[] {
  if (units.size === 0) return [];
  const blanked = text
    .split('')
    .map((unit, at) => (units.has(at) ? unit : '\n'))
    .join('');
  return blanked.split('\n').filter((run) => run !== '' && !run.includes(BLANK));
}

/** The rows of a screen without its secrets. */
export function redactedRows(rows: readonly string[], cols: number): string[] {
  const covered = secretSpansInRows(
    rows.map((text) => ({ text, wrapped: false })),
    cols,
  );
  return rows.map((text, row) =>
    text
      .split('')
      .map((unit, at) => (covered[row]?.has(at) ? BLANK : unit))
      .join(''),
  );
}
