import type { TerminalMeta } from '../contract/terminal.ts';
import { type CastHead, type CastVersion, CastWriter } from '../conversations/extraction/exporters/cast.ts';
import { ClipboardFilter } from '../events/ClipboardFilter.ts';
import { recordFileSize } from '../store/files/openRecordFile.ts';
import { DamagedFile, type ReadFault } from '../store/files/readFault.ts';
import { lossIn } from '../store/record/readGaps.ts';
import { streamRaw } from '../store/record/readRecord.ts';
import { readTimes, type TimeAt } from '../store/record/readTimes.ts';
import type { SessionFolder } from '../store/record/SessionFolder.ts';
import { type CastMoment, readMoments } from './castMoments.ts';

export interface CastRequest {
  folder: SessionFolder;
  meta: Pick<TerminalMeta, 'argv' | 'cols' | 'rows' | 'createdMs'>;
  version: CastVersion;
  title: string | null;
  idleLimitS: number | null;
  /** Positions to mark besides the commands, such as an agent's prompts. */
  marks?: readonly CastMark[];
  /** Bytes of output.raw and a final exit code, for a part of the terminal. `startedMs` null: the time of its first byte. */
  part?: { rawStart: number; rawEnd: number | null; exitCode: number | null; startedMs: number | null };
}

export interface CastMark {
  /** Offset in output.raw. */
  at: number;
  /** Ms since 1970. */
  atMs: number;
  label: string;
}

/** A terminal's or a block's recording, ready to write. */
export interface CastSource {
  /** False if the record has no times of its own; starts and ends of blocks replace them. */
  hasTimes: boolean;
  text: AsyncGenerator<string>;
  /** What could not be recorded, which a marker shows in the text; null for nothing. */
  lost: ReadFault | null;
}

/**
 * The asciicast of the current record, in pieces of whole lines; uses the memory of one piece, whatever the length.
 *
 * An asciicast is raw output with its escape sequences. It excludes the nonce (not in the record), OSC 52 (it would
 * write to the clipboard of a person who plays the file), bytes that could not be recorded (a marker shows the gap),
 * and typed keys (never recorded).
 */
export async function exportCast(request: CastRequest): Promise<CastSource> {
  const { folder, part } = request;
  const size = (await recordFileSize(folder.raw)) ?? 0;
  const range = { from: part?.rawStart ?? 0, to: part?.rawEnd ?? size };
  if (range.to > size) throw shortFile(folder, size, range.to);
  const moments = await readMoments(folder, range, request.meta);
  addMarks(moments.list, request.marks ?? [], range);
  const times = await OutputClock.open(folder.times, range.from, moments.points);
  const startMs = part
    ? (part.startedMs ?? times.nowMs(range.from))
    : Math.min(request.meta.createdMs, times.nowMs(range.from));
  const head: CastHead = {
    version: request.version,
    ...moments.size,
    startMs,
    title: request.title,
    idleLimitS: request.idleLimitS,
    env: { TERM: 'xterm-256color', ...(request.meta.argv[0] && { SHELL: request.meta.argv[0] }) },
  };
  const exitCode = part ? part.exitCode : moments.exitCode;
  const text = write(new CastWriter(head), { folder, range, moments: moments.list, times, exitCode });
  return { hasTimes: times.isExact, text, lost: await lossIn(folder, range) };
}

function shortFile({ raw }: SessionFolder, at: number, to: number): DamagedFile {
  return new DamagedFile(raw, `ends at byte ${at}: ${to - at} bytes of this output are not on disk`, { fromByte: at });
}

function addMarks(list: CastMoment[], marks: readonly CastMark[], { from, to }: { from: number; to: number }): void {
  for (const mark of marks) if (mark.at >= from && mark.at <= to) list.push({ type: 'marker', ...mark });
  list.sort((a, b) => a.at - b.at);
}

interface Recorded {
  folder: SessionFolder;
  range: { from: number; to: number };
  moments: readonly CastMoment[];
  times: OutputClock;
  exitCode: number | null;
}

async function* write(
  writer: CastWriter,
  { folder, range, moments, times, exitCode }: Recorded,
): AsyncGenerator<string> {
  const filter = new ClipboardFilter();
  const due = [...moments];
  try {
    yield writer.head();
    let at = range.from;
    let nowMs = 0;
    while (due.length > 0 || at < range.to) {
      const moment = due[0];
      if (moment && moment.at <= at) {
        due.shift();
        nowMs = Math.max(nowMs, moment.atMs); // not the time of the byte at `at`, which came later
        yield tell(writer, moment, nowMs);
        if (moment.type === 'gap') at = Math.max(at, moment.to);
        continue;
      }
      const to = Math.min(moment?.at ?? range.to, range.to);
      if (to === at) break; // later events belong to output that is not exported
      for await (const piece of streamRaw(folder, at, to)) {
        for (const { bytes, atMs } of await times.split(piece, at)) {
          yield writer.output(filter.feed(bytes), atMs);
          at += bytes.length;
          nowMs = atMs;
        }
      }
      if (at < to) throw shortFile(folder, at, to);
    }
    yield writer.output(filter.end(), nowMs) + writer.end(exitCode, Math.max(nowMs, times.nowMs(at)));
  } finally {
    await times.close();
  }
}

function tell(writer: CastWriter, moment: CastMoment, nowMs: number): string {
  switch (moment.type) {
    case 'resize':
      return writer.resize(moment.cols, moment.rows, nowMs);
    case 'marker':
      return writer.marker(moment.label, nowMs);
    case 'gap':
      return writer.marker(`${moment.to - moment.at} bytes of output were not recorded`, nowMs);
  }
}

/** Time of each byte: from output.times, and before its first line (or without it) from the record's other times. */
class OutputClock {
  readonly isExact: boolean;
  readonly #times: AsyncGenerator<TimeAt>;
  readonly #points: readonly TimeAt[];
  /** Lines that were read and still apply or are ahead; the first one applies now. */
  #ahead: TimeAt[];
  #isDone: boolean;

  private constructor(times: AsyncGenerator<TimeAt>, points: readonly TimeAt[], first: TimeAt | null) {
    this.#times = times;
    this.#ahead = first ? [first] : [];
    this.#isDone = first === null;
    this.#points = points.filter(({ offset }) => !first || offset < first.offset);
    this.isExact = first !== null;
  }

  static async open(path: string, from: number, points: readonly TimeAt[]): Promise<OutputClock> {
    const times = readTimes(path, from);
    const first = await times.next();
    return new OutputClock(times, points, first.done ? null : first.value);
  }

  /** The time of the byte at `offset`, from the lines read so far. */
  nowMs(offset: number): number {
    const line = this.#ahead.findLast((known) => known.offset <= offset);
    return (
      (line ?? this.#points.findLast((known) => known.offset <= offset) ?? this.#points[0] ?? this.#ahead[0])?.atMs ?? 0
    );
  }

  /** Splits `piece`, which starts at `at`, where the time changes. */
  async split(piece: Uint8Array, at: number): Promise<{ bytes: Uint8Array; atMs: number }[]> {
    const end = at + piece.length;
    await this.#readTo(at, end);
    const cuts = [...this.#points, ...this.#ahead].filter(({ offset }) => offset > at && offset < end);
    const starts = [at, ...cuts.map(({ offset }) => offset)];
    return starts.map((start, n) => ({
      bytes: piece.subarray(start - at, (starts[n + 1] ?? end) - at),
      atMs: this.nowMs(start),
    }));
  }

  async close(): Promise<void> {
    await this.#times.return(undefined);
  }

  /** Reads lines until one is after `end`; drops those that no longer apply at `at`. */
  async #readTo(at: number, end: number): Promise<void> {
    this.#ahead = this.#ahead.slice(
      Math.max(
        0,
        this.#ahead.findLastIndex(({ offset }) => offset <= at),
      ),
    );
    while (!this.#isDone && (this.#ahead.at(-1)?.offset ?? 0) < end) {
      const next = await this.#times.next();
      if (next.done) this.#isDone = true;
      else this.#ahead.push(next.value);
    }
  }
}
