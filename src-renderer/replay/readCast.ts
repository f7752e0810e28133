import { replay } from '../app/strings/replay.ts';

/** A parsed asciicast 2, as `recordings/exportCast.ts` writes it. */
export interface Recorded {
  title: string | null;
  /** Wall time of the first moment, in ms since 1970; null where the recording does not say. */
  startMs: number | null;
  size: ScreenSize;
  /** In the order of time. */
  events: readonly RecordedEvent[];
  /** Commands, turns and gaps, in the order of time. */
  marks: readonly ReplayMark[];
  lengthMs: number;
}

export interface ScreenSize {
  cols: number;
  rows: number;
}

/** `atMs` counts from the start of the recording. */
export type RecordedEvent = { atMs: number } & ({ type: 'output'; text: string } | ({ type: 'resize' } & ScreenSize));

export interface ReplayMark {
  atMs: number;
  label: string;
}

/** Time starts at the first event, because a terminal may have waited for days before it. */
export function readCast(text: string): Recorded {
  const lines = text.split('\n');
  const head = parse(lines[0] ?? '', 1) as { width?: unknown; height?: unknown; title?: unknown; timestamp?: unknown };
  const size = { cols: Number(head?.width), rows: Number(head?.height) };
  if (!isSize(size)) throw new Error(replay.noSize);
  const events: RecordedEvent[] = [];
  const marks: ReplayMark[] = [];
  let firstMs: number | null = null;
  let nowMs = 0;
  for (let at = 1; at < lines.length; at += 1) {
    if (lines[at] === '') continue;
    const [seconds, code, data] = parse(lines[at] as string, at + 1) as [number, string, string];
    firstMs ??= seconds * 1000;
    nowMs = Math.max(nowMs, Math.round(seconds * 1000 - firstMs));
    take({ code, data, atMs: nowMs }, { events, marks });
  }
  return {
    title: typeof head.title === 'string' ? head.title : null,
    startMs: typeof head.timestamp === 'number' ? head.timestamp * 1000 + (firstMs ?? 0) : null,
    size,
    events,
    marks,
    lengthMs: nowMs,
  };
}

function take(
  { code, data, atMs }: { code: string; data: string; atMs: number },
  into: { events: RecordedEvent[]; marks: ReplayMark[] },
): void {
  if (code === 'o') into.events.push({ type: 'output', text: data, atMs });
  else if (code === 'm') into.marks.push({ label: data, atMs });
  else if (code === 'r') {
    const [cols, rows] = data.split('x').map(Number);
    const size = { cols: cols ?? 0, rows: rows ?? 0 };
    if (isSize(size)) into.events.push({ type: 'resize', ...size, atMs });
  }
}

function isSize({ cols, rows }: ScreenSize): boolean {
  return Number.isInteger(cols) && Number.isInteger(rows) && cols > 0 && rows > 0;
}

function parse(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(replay.badLine(number));
  }
}
