import { styleText } from 'node:util';
import { escapeJson, escapeText } from '../../util/escapeControls.ts';
import { CliError, EXIT } from './exitCodes.ts';

type Colour = 'red' | 'green' | 'yellow' | 'dim' | 'bold';

let isReaderGone = false;

/**
 * Call once per process. If the reader closes the pipe (`| head`), the rest is dropped without an error. Without a listener Node would end the
 * process with a stack trace.
 */
export function watchStdout(): void {
  process.stdout.on('error', noteError);
  process.stderr.on('error', () => undefined); // an error on stderr cannot be reported
}

/** Writes to stdout and waits until the data was taken. False if the reader has closed the pipe: stop then. */
export async function print(data: string | Uint8Array): Promise<boolean> {
  if (isReaderGone) return false;
  const error = await new Promise<Error | null | undefined>((resolve) => process.stdout.write(data, resolve));
  if (error) throwUnlessGone(error);
  return !isReaderGone;
}

export async function printLines(lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await print(`${lines.join('\n')}\n`);
}

/** Prints one JSON document on a line of its own; indented on a terminal. */
export async function printJson(value: unknown): Promise<void> {
  const indent = process.stdout.isTTY ? 2 : 0;
  await print(`${escapeJson(JSON.stringify(value, null, indent))}\n`);
}

/** Prints a remark for the person on stderr, so that the output stays clean for a pipe. */
export function remark(text: string): void {
  process.stderr.write(`hansard: ${escapeText(text)}\n`);
}

/** `text` in colour if stdout is a terminal with colours and NO_COLOR is not set. */
export function colour(format: Colour, text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

/** Columns of the terminal at stdout; null for a pipe or a file, which have no width. */
export function outputColumns(): number | null {
  return process.stdout.isTTY ? (process.stdout.columns ?? null) : null;
}

function noteError(error: Error): void {
  if (isGone(error)) isReaderGone = true;
}

function throwUnlessGone(error: Error): void {
  noteError(error);
  if (!isReaderGone) throw new CliError(`the output could not be written: ${error.message}`, EXIT.ioError);
}

function isGone(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}
