import { styleText } from 'node:util';
import { escapeJson, escapeText } from '../../util/escapeControls.ts';
import { CliError, EXIT } from './exitCodes.ts';

type Colour = 'red' | 'green' | 'yellow' | 'dim' | 'bold';

let isReaderGone = false;

/**
 * Once per process. A reader that closed its end (`| head`) has seen what it wanted: the rest is not written and nobody is
 * told. Without a listener Node would end the process with a stack trace.
 */
export function watchStdout(): void {
  process.stdout.on('error', noteError);
  process.stderr.on('error', () => undefined); // where errors cannot be told there is nobody to tell this one
}

/** Writes to stdout and waits until it was taken. False when nobody reads any more: stop. */
export async function print(data: string | Uint8Array): Promise<boolean> {
  if (isReaderGone) return false;
  const error = await new Promise<Error | null | undefined>((resolve) => process.stdout.write(data, resolve));
  if (error) throwUnlessGone(error);
  return !isReaderGone;
}

export async function printLines(lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await print(`${lines.join('\n')}\n`);
}

/** One JSON document on a line of its own; indented for people at a terminal. */
export async function printJson(value: unknown): Promise<void> {
  const indent = process.stdout.isTTY ? 2 : 0;
  await print(`${escapeJson(JSON.stringify(value, null, indent))}\n`);
}

/** A remark for the person beside the output, which stays clean for a pipe. */
export function remark(text: string): void {
  process.stderr.write(`hansard: ${escapeText(text)}\n`);
}

/** `text` in colour where stdout is a terminal that has it and NO_COLOR does not forbid it. */
export function colour(format: Colour, text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

/** Columns of the terminal that is written to; null for a pipe or a file, which have no width. */
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
