import { InvalidArgumentError } from 'commander';

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('a port is a number from 0 to 65535.');
  return port;
}

/** Refuses every other address and every spelling of the wildcard: a terminal on the network is a shell for everyone. */
export function parseHost(text: string): string {
  if (text !== '127.0.0.1')
    throw new InvalidArgumentError('only 127.0.0.1 is served. Use an SSH tunnel to reach it from elsewhere.');
  return text;
}

/** The exact origin that a browser will send. Only https, because keys for a terminal must not cross a network in plain text. */
export function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin = url?.protocol === 'https:' && (url.href === `${url.origin}/` || url.href === url.origin);
  if (!url || !isOrigin || /[#?@]/.test(text))
    throw new InvalidArgumentError('an address like https://host or https://host:port, without a path.');
  return url.origin;
}

/** More blocks than any record has, and still an exact number. */
const MAX_COUNT = 1_000_000_000;

export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MAX_COUNT)
    throw new InvalidArgumentError(`a whole number from 1 to ${MAX_COUNT}.`);
  return count;
}

/** A day is longer than any useful wait. */
const MAX_SECONDS = 86_400;

export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds <= 0 || seconds > MAX_SECONDS)
    throw new InvalidArgumentError(`a number of seconds, above 0 and up to ${MAX_SECONDS}.`);
  return seconds;
}

/** Limits of a terminal's size (contract/terminal.ts, TerminalSize). */
export function parseScreenSize(text: string): number {
  const size = Number(text);
  if (!/^\d+$/.test(text) || size < 2 || size > 1000) throw new InvalidArgumentError('a whole number from 2 to 1000.');
  return size;
}
