#!/usr/bin/env node
// Stands in for an agent's program: prints what the real one printed when it was recorded, between the shell's begin mark and its end, at
// its own pace. Named as the real one is, so that it is found by its process. Arguments: the cast, how many times as fast.
import { readFileSync } from 'node:fs';

const [cast = '', speed = '1'] = process.argv.slice(2);
const events = readFileSync(cast, 'utf8')
  .split('\n')
  .slice(1)
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const begun = events.findIndex(([, kind, text]) => kind === 'o' && text.includes('BLOCK_BEGIN'));
const ended = events.findIndex(([, kind, text], at) => at > begun && kind === 'o' && text.includes('BLOCK_END'));
let lastS = events[begun]?.[0] ?? 0;
process.stdin.setRawMode?.(true);
process.stdin.resume(); // what the terminal answers is read, so that no shell gets it
for (const [atS, kind, text] of events.slice(begun + 1, ended)) {
  await new Promise((resolve) => setTimeout(resolve, ((atS - lastS) * 1000) / Number(speed)));
  lastS = atS;
  if (kind === 'o') process.stdout.write(text);
}
const [last = ''] = (events[ended]?.[2] ?? '').split('\x1b]7717;');
process.stdout.write(last);
await allAnswered();
process.stdin.pause();
process.stdin.setRawMode?.(false);

/** Resolves when the terminal has answered the last query, and with it all before: an answer that nobody reads is the shell's next line. */
async function allAnswered() {
  if (!process.stdin.isTTY) return;
  const answered = new Promise((resolve) => {
    let read = '';
    process.stdin.on('data', (bytes) => {
      read = (read + bytes.toString('latin1')).slice(-64);
      if (read.includes('\x1b[0n')) resolve();
    });
    setTimeout(resolve, 10_000).unref(); // a terminal that answers nothing
  });
  process.stdout.write('\x1b[5n');
  await answered;
}
