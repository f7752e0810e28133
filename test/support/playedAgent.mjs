#!/usr/bin/env node
// A fake agent: replays a recording's output between the shell's BLOCK_BEGIN and BLOCK_END at its own pace. It is installed under
// the agent's name, so that Hansard finds it by its process. Arguments: the cast, and the speed as a factor.
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
process.stdin.resume(); // reads the terminal's replies, so that the shell does not get them
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

/** Resolves when the terminal has answered a last query and so all before it: the shell would take an unread reply as input. */
async function allAnswered() {
  if (!process.stdin.isTTY) return;
  const answered = new Promise((resolve) => {
    let read = '';
    process.stdin.on('data', (bytes) => {
      read = (read + bytes.toString('latin1')).slice(-64);
      if (read.includes('\x1b[0n')) resolve();
    });
    setTimeout(resolve, 10_000).unref(); // for a terminal that never replies
  });
  process.stdout.write('\x1b[5n');
  await answered;
}
