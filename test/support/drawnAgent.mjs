#!/usr/bin/env node
// A program that draws as Codex CLI 0.169 does: on the alternate screen, all of it each time, of a long answer only what fits, and more of it
// when its window grows. Each line typed is answered at once with 60 rows. Ctrl-D ends it.
const ROWS = 60;
const said = [];
let draft = '';

function draw() {
  const { columns = 80, rows = 24 } = process.stdout;
  const lines = ['>_ OpenAI Codex (v0.169.0)', '   /tmp/project', '', ...said];
  const shown = lines.slice(-(rows - 4));
  const frame = [...shown, ...Array(Math.max(0, rows - 4 - shown.length)).fill('')];
  const composer =
    draft === '' ? '\x1b[1m› \x1b[22m\x1b[2mAsk Codex to do anything\x1b[22m' : `\x1b[1m› \x1b[22m${draft}`;
  const footer = '  gpt-mock default · /tmp/project'.padEnd(columns - 1);
  const text = [...frame, '', composer, '', footer].map((line, at) => `\x1b[${at + 1};1H\x1b[2K${line}`).join('');
  process.stdout.write(`\x1b[?2026h${text}\x1b[${frame.length + 2};${3 + draft.length}H\x1b[?2026l`);
}

function answer(prompt) {
  said.push(`\x1b[1m› \x1b[22m${prompt}`, '');
  for (let row = 1; row <= ROWS; row += 1) {
    said.push(`${row === 1 ? '• ' : '  '}Row ${String(row).padStart(2, '0')} of the answer to ${prompt}.`, '');
  }
}

process.stdout.write('\x1b[?1049h\x1b[2J\x1b]0;project\x07');
process.stdin.setRawMode(true);
process.stdout.on('resize', draw);
process.stdin.on('data', (data) => {
  for (const key of data.toString()) {
    if (key === '\x04') {
      process.stdout.write('\x1b[?1049l\x1b]0;\x07');
      process.exit(0);
    }
    if (key !== '\r') draft += key;
    else {
      answer(draft);
      draft = '';
    }
  }
  draw();
});
draw();
