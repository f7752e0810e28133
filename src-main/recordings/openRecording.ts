import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { readLines } from '../store/files/readJsonLines.ts';
import { CastReader } from './formats/CastReader.ts';
import { TypescriptTiming } from './formats/TypescriptTiming.ts';

/** A recording cannot be read; the message is a sentence with the problem and its position. */
export class BadRecording extends Error {}

export type RecordedEvent = { atMs: number } & (
  | { type: 'output'; bytes: Uint8Array }
  | { type: 'resize'; cols: number; rows: number }
  | { type: 'marker'; label: string }
  | { type: 'exit'; exitCode: number | null }
);

/** A recorded terminal. Times are ms since 1970. */
export interface Recording {
  format: string;
  cols: number;
  rows: number;
  startMs: number;
  title: string | null;
  /** The shell's path or name, null if unknown. */
  shell: string | null;
  /** In the order of time. Throws a BadRecording if the file is damaged. */
  events: AsyncGenerator<RecordedEvent>;
  /** Skipped parts, as text; complete after the events were read. */
  notes: string[];
}

export interface RecordingOptions {
  cols?: number | undefined;
  rows?: number | undefined;
  /** Timing file of script(1) that belongs to a raw recording. */
  timing?: string | undefined;
}

const PIECE_BYTES = 64 * 1024;
const HEAD_BYTES = 512;
/** Size of a terminal without a known size. */
const USUAL = { cols: 80, rows: 24 };
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Detects the format of the file and opens it: an asciicast, a typescript with its timing, or raw terminal output. */
export async function openRecording(path: string, options: RecordingOptions): Promise<Recording> {
  const real = await realpath(path);
  const { head, modifiedMs } = await look(real);
  if (head.subarray(0, 2).equals(GZIP)) throw new BadRecording(`${path} is compressed: unpack it first`);
  if (options.timing !== undefined) return openTypescript(real, { ...options, timing: options.timing }, modifiedMs);
  const isCast = path.endsWith('.cast') || /^\s*\{[^\n]*"version"/.test(head.toString('latin1'));
  return isCast ? openCastFile(real, options, modifiedMs) : openRaw(real, options, modifiedMs);
}

async function look(path: string): Promise<{ head: Buffer; modifiedMs: number }> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)); // a pipe must not block this process
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new BadRecording(`${path} is not a file`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return { head: buffer.subarray(0, bytesRead), modifiedMs: Math.round(found.mtimeMs) };
  } finally {
    await file.close();
  }
}

async function openCastFile(path: string, options: RecordingOptions, modifiedMs: number): Promise<Recording> {
  const lines = readLines(path);
  const first = await lines.next();
  const reader = CastReader.open(first.done ? '' : (first.value.line?.toString() ?? ''));
  if ('problem' in reader) {
    await lines.return(undefined);
    throw new BadRecording(`${path}, line 1: ${reader.problem}`);
  }
  const { header } = reader;
  const startMs = header.startMs ?? modifiedMs;
  const notes: string[] = [];
  return {
    format: `asciicast ${header.version}`,
    cols: options.cols ?? header.cols,
    rows: options.rows ?? header.rows,
    startMs,
    title: header.title ?? header.command,
    shell: header.shell,
    events: castEvents({ path, lines, reader, startMs }, notes),
    notes,
  };
}

interface OpenCast {
  path: string;
  lines: ReturnType<typeof readLines>;
  reader: CastReader;
  startMs: number;
}

async function* castEvents({ path, lines, reader, startMs }: OpenCast, notes: string[]): AsyncGenerator<RecordedEvent> {
  let number = 1;
  let inputs = 0;
  for await (const { line, isTorn } of lines) {
    number += 1;
    const event = line === null ? { problem: 'longer than 16 MiB' } : reader.read(line.toString());
    if (event === null) continue;
    if ('problem' in event) {
      if (!isTorn) throw new BadRecording(`${path}, line ${number}: ${event.problem}`);
      notes.push(`the last line (${number}) is not complete and was left out`);
      break;
    }
    const atMs = startMs + event.atMs;
    if (event.type === 'output') yield { type: 'output', bytes: Buffer.from(event.text), atMs };
    else if (event.type === 'resize') yield { type: 'resize', cols: event.cols, rows: event.rows, atMs };
    else if (event.type === 'marker') yield { type: 'marker', label: event.text, atMs };
    else if (event.type === 'exit') yield { type: 'exit', exitCode: event.exitCode, atMs };
    else if (event.type === 'input') inputs += 1;
  }
  if (inputs > 0) notes.push(`${inputs} events of typing were left out: what is typed is never recorded`);
}

function openRaw(path: string, options: RecordingOptions, startMs: number): Recording {
  const notes = ['it has no times: all of it is dated as the file'];
  const events = async function* (): AsyncGenerator<RecordedEvent> {
    for await (const bytes of pieces(path)) yield { type: 'output', bytes, atMs: startMs };
  };
  return {
    format: 'raw output',
    ...USUAL,
    ...sizeOf(options),
    startMs,
    title: null,
    shell: null,
    events: events(),
    notes,
  };
}

function sizeOf({ cols, rows }: RecordingOptions): { cols?: number; rows?: number } {
  return { ...(cols !== undefined && { cols }), ...(rows !== undefined && { rows }) };
}

const TYPESCRIPT_HEAD = /^Script started on ([^[\n]*)(?:\[([^\n]*)\])?\n/;

async function openTypescript(
  path: string,
  options: RecordingOptions & { timing: string },
  modifiedMs: number,
): Promise<Recording> {
  const timing = await realpath(options.timing);
  const { head } = await look(path);
  const [line = '', date = '', facts = ''] = TYPESCRIPT_HEAD.exec(head.toString('latin1')) ?? [];
  const fact = (name: string): number | undefined =>
    Number(new RegExp(`${name}="(\\d+)"`).exec(facts)?.[1]) || undefined;
  const startMs = Date.parse(date.trim()) || modifiedMs;
  const notes: string[] = [];
  return {
    format: 'typescript',
    cols: options.cols ?? fact('COLUMNS') ?? USUAL.cols,
    rows: options.rows ?? fact('LINES') ?? USUAL.rows,
    startMs,
    title: null,
    shell: null,
    events: typescriptEvents({ path, timing, skipBytes: line.length, startMs }),
    notes,
  };
}

async function* typescriptEvents(spec: {
  path: string;
  timing: string;
  skipBytes: number;
  startMs: number;
}): AsyncGenerator<RecordedEvent> {
  const reader = new TypescriptTiming();
  const file = await open(spec.path, 'r');
  let at = spec.skipBytes;
  let number = 0;
  try {
    for await (const { line } of readLines(spec.timing)) {
      number += 1;
      const event = line && reader.read(line.toString('latin1'));
      if (!event) throw new BadRecording(`${spec.timing}, line ${number}: not a line of a timing file`);
      const atMs = spec.startMs + event.atMs;
      if (event.type === 'resize') yield { type: 'resize', cols: event.cols, rows: event.rows, atMs };
      if (event.type !== 'output') continue;
      for (const to = at + event.bytes; at < to; ) {
        const bytes = await readPart(file, at, Math.min(PIECE_BYTES, to - at));
        if (bytes.length === 0)
          throw new BadRecording(`${spec.timing}, line ${number}: tells of more bytes than ${spec.path} has`);
        yield { type: 'output', bytes, atMs };
        at += bytes.length;
      }
    }
  } finally {
    await file.close();
  }
}

async function* pieces(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    for (let at = 0; ; ) {
      const bytes = await readPart(file, at, PIECE_BYTES);
      if (bytes.length === 0) return;
      at += bytes.length;
      yield bytes;
    }
  } finally {
    await file.close();
  }
}

async function readPart(file: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
