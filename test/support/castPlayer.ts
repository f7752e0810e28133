import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Plays a recording to its terminal with pauses of at most 400 ms, then runs until it is killed. */
const PLAYER = `
const { readFileSync } = require('node:fs');
const [head, ...lines] = readFileSync(process.argv[2], 'utf8').trim().split('\\n');
const isRelative = JSON.parse(head).version === 3;
const MOST_MS = 400;
process.stdin.setRawMode?.(true);
process.stdin.resume(); // as the agent had it: reports of the focus are read, and nothing is echoed into its picture
async function play() {
  let lastMs = 0;
  for (const line of lines.filter((text) => text.startsWith('['))) {
    const [seconds, kind, data] = JSON.parse(line);
    const waitMs = isRelative ? seconds * 1000 : seconds * 1000 - lastMs;
    lastMs = seconds * 1000;
    await new Promise((resume) => setTimeout(resume, Math.min(waitMs, MOST_MS)));
    if (kind === 'o') process.stdout.write(data);
  }
  setInterval(() => undefined, 1000);
}
play();
`;

/** Writes a program `name` into `folder` that plays the asciicast of its first argument, as the agent of that name; returns its path. */
export function writeCastPlayer(folder: string, name: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!${process.execPath}${PLAYER}`, { mode: 0o755 });
  return path;
}
