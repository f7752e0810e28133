#!/usr/bin/env node
// A program that draws like Codex CLI 0.169: it repaints the whole alternate screen, and shows only the rows of a long answer that fit.
// It answers each typed line at once with 60 rows. "work" works until Escape; "think" does too, but prints nothing when interrupted.
// "edit FILE TEXT" works until LOG.go exists, then writes FILE. "ask N MS" asks N questions in a row after MS ms in which it reads
// nothing, and appends a line to the file LOG (first argument) for each answer. Ctrl-D ends it.
// Under another file name it uses that name, so that Hansard has no extractor for it.
import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const NAME = basename(process.argv[1] ?? '');
const CALLED = NAME === 'codex' ? 'Codex' : NAME;
const BRAND = NAME === 'codex' ? 'OpenAI Codex' : NAME;
const ROWS = 60;
const OPTIONS = [
  'Yes, proceed (y)',
  "Yes, and don't ask again (p)",
  `No, and tell ${CALLED} what to do differently (esc)`,
];
const [log = ''] = process.argv.slice(2);
const said = [];
let draft = '';
let isWorking = false;
let isSilent = false;
let isPasting = false;
let questions = 0;
let asked = 0;
let pointed = 0;

function foot(columns) {
  if (questions > 0) return question();
  const composer =
    draft === ''
      ? `\x1b[1m› \x1b[22m\x1b[2mAsk ${CALLED} to do anything\x1b[22m`
      : `\x1b[1m› \x1b[22m${draft.split('\n').at(-1)}`;
  const status = isWorking ? ['• Working (1s • esc to interrupt)', ''] : [];
  return ['', ...status, composer, '', '  gpt-mock default · /tmp/project'.padEnd(columns - 1)];
}

function question() {
  const options = OPTIONS.map((label, at) => `${at === pointed ? '›' : ' '} ${at + 1}. ${label}`);
  const about = ['  Would you like to run the following command?', '', `  $ npm test part-${asked}`];
  return ['', '', ...about, '', ...options, '', '  Press enter to confirm or esc to cancel'];
}

function draw() {
  const { columns = 80, rows = 24 } = process.stdout;
  const lines = [`>_ ${BRAND} (v0.169.0)`, '   /tmp/project', '', ...said];
  const below = foot(columns);
  const shown = lines.slice(-(rows - below.length));
  const frame = [...shown, ...Array(Math.max(0, rows - below.length - shown.length)).fill('')];
  const text = [...frame, ...below].map((line, at) => `\x1b[${at + 1};1H\x1b[2K${line}`).join('');
  process.stdout.write(`\x1b[?2026h${text}\x1b[${rows - 2};${3 + draft.length}H\x1b[?2026l`);
}

function answer(prompt) {
  const [word, count, hangsMs = 0] = prompt.split(' ');
  isSilent = word === 'think';
  if (word === 'work' || word === 'edit' || isSilent) isWorking = true;
  if (word === 'edit') editLater(prompt);
  if (word === 'ask') {
    questions = Number(count);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(hangsMs));
  }
  const [first = '', ...more] = prompt.split('\n');
  said.push(`\x1b[1m› \x1b[22m${first}`, ...more.map((line) => `  ${line}`), '');
  if (isWorking || word === 'ask') return;
  for (let row = 1; row <= ROWS; row += 1) {
    said.push(`${row === 1 ? '• ' : '  '}Row ${String(row).padStart(2, '0')} of the answer to ${prompt}.`, '');
  }
}

function editLater(prompt) {
  const [, file, ...words] = prompt.split(' ');
  const timer = setInterval(() => {
    if (!existsSync(`${log}.go`)) return;
    clearInterval(timer);
    rmSync(`${log}.go`);
    writeFileSync(file, `${words.join(' ')}\n`);
    said.push(`• Edited ${file}`, '');
    isWorking = false;
    draw();
  }, 20);
}

/** Handles a key for the question on the screen: moves the pointer, or logs the answer and asks the next question. */
function answerKey(key) {
  if (key === '\x1b[A' || key === '\x1b[B') pointed = Math.min(2, Math.max(0, pointed + (key === '\x1b[B' ? 1 : -1)));
  const chosen = key === '\r' ? pointed : key === '\x1b' ? 2 : '123'.indexOf(key);
  if (chosen < 0) return;
  if (log !== '') appendFileSync(log, `${asked} ${chosen}\n`);
  said.push(`• Question ${asked}: ${chosen}`, '');
  asked += 1;
  questions -= 1;
  pointed = 0;
}

process.stdout.write('\x1b[?1049h\x1b[2J\x1b[?2004h\x1b]0;project\x07');
process.stdin.setRawMode(true);
process.stdout.on('resize', draw);
process.stdin.on('data', (data) => {
  for (const key of data.toString().match(/\x1b\[[\d;]*[A-Za-z~]|[\s\S]/gu) ?? []) {
    if (questions > 0) {
      answerKey(key);
      continue;
    }
    if (key === '\x1b[200~' || key === '\x1b[201~') isPasting = key === '\x1b[200~';
    if (key === '\x1b' && isWorking && !isSilent)
      said.push('■ Conversation interrupted - tell the model what to do differently.', '');
    if (key === '\x1b') isWorking = false;
    if (key.startsWith('\x1b')) continue;
    if (key === '\x04') {
      process.stdout.write('\x1b[?2004l\x1b[?1049l\x1b]0;\x07');
      process.exit(0);
    }
    if (isPasting || key !== '\r') draft += key === '\r' ? '\n' : key;
    else {
      answer(draft);
      draft = '';
    }
  }
  draw();
});
draw();
