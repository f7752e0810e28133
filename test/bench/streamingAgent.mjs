#!/usr/bin/env node
// A program that draws as Codex CLI 0.169 does, on the alternate screen, and answers line by line. Arguments: number of lines, ms between
// them, a file that gets `line written-at-ms` for each. Every line contains its number, so that a reader recognizes it.
import { appendFileSync } from 'node:fs';

const [lines = '50', everyMs = '120', times = ''] = process.argv.slice(2);
const said = ['\x1b[1m› \x1b[22mTell me of the tides.', ''];

function draw(footer) {
  const { columns = 80, rows = 24 } = process.stdout;
  const all = ['>_ OpenAI Codex (v0.169.0)', '   /tmp/project', '', ...said, footer, ''];
  const shown = all.slice(-(rows - 4));
  const frame = [...shown, ...Array(Math.max(0, rows - 4 - shown.length)).fill('')];
  const box = [
    '',
    '\x1b[1m› \x1b[22m\x1b[2mAsk Codex to do anything\x1b[22m',
    '',
    '  gpt-mock default · /tmp/project'.padEnd(columns - 1),
  ];
  const text = [...frame, ...box].map((line, at) => `\x1b[${at + 1};1H\x1b[2K${line}`).join('');
  process.stdout.write(`\x1b[?2026h${text}\x1b[${frame.length + 2};3H\x1b[?2026l`);
}

process.stdout.write('\x1b[?1049h\x1b[2J\x1b]0;project\x07');
process.stdin.setRawMode?.(true);
process.stdin.resume(); // reads the terminal's replies, so that the shell does not get them
draw('• Working (0s • esc to interrupt)');
await new Promise((resolve) => setTimeout(resolve, 3000));
for (let n = 1; n <= Number(lines); n += 1) {
  const at = String(n).padStart(3, '0');
  said.push(`${n === 1 ? '• ' : '  '}At hour ${at} the water stands at ${(n * 37) % 90} hands, mark M${at}.`);
  if (times !== '') appendFileSync(times, `${n} ${Date.now()}\n`);
  draw('• Working (0s • esc to interrupt)');
  await new Promise((resolve) => setTimeout(resolve, Number(everyMs)));
}
draw('');
await new Promise((resolve) => setTimeout(resolve, 1500));
process.stdout.write('\x1b[?1049l\x1b]0;\x07');
process.stdin.pause();
process.stdin.setRawMode?.(false);
