import { closeSync, openSync, readSync } from 'node:fs';
import xterm from '@xterm/headless';
import { SIZE } from './peers.ts';

/** Entry point of a process that parses a file's bytes with `@xterm/headless`, without a PTY and a record, and reports the time. */
const PIECE_BYTES = 64 * 1024;
const SCROLLBACK_LINES = 1000;

const terminal = new xterm.Terminal({ ...SIZE, scrollback: SCROLLBACK_LINES, allowProposedApi: true, logLevel: 'off' });
const file = openSync(process.argv[2] ?? '', 'r');
const startMs = performance.now();
for (;;) {
  const piece = new Uint8Array(PIECE_BYTES);
  const length = readSync(file, piece);
  if (length === 0) break;
  await new Promise<void>((resolve) => terminal.write(piece.subarray(0, length), resolve));
}
const ms = performance.now() - startMs;
closeSync(file);
process.send?.(ms, () => process.exit(0));
