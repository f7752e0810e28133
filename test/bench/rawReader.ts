import { spawn } from 'node-pty';

/** Entry point of a process that reads what a program prints to a terminal, into nothing, and tells how long that took. */
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
