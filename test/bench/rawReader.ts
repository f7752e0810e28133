import { spawn } from 'node-pty';

/** Entry point of a process that reads and discards a program's terminal output and reports the time until its last byte. */
const [file = '', ...args] = process.argv.slice(2);
const startMs = performance.now();
const pty = spawn(file, args, { cols: 120, rows: 40, encoding: null, cwd: process.cwd(), env: process.env });
let lastMs = startMs;
pty.onData(() => {
  lastMs = performance.now();
});
pty.onExit(() => {
  process.send?.(lastMs - startMs, () => process.exit(0));
});
