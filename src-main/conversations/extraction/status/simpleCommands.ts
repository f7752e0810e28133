/** Longer lines are data rather than commands. */
const MAX_CHARS = 10_000;
const SPACE = /[\s]/;
const END = /[;&|\n(){}]/;

interface Reading {
  commands: string[][];
  words: string[];
  word: string | null;
}

/**
 * The simple commands of a shell line as words, without quotes and backslashes. Parts before a command (`VAR=x`, `cd a &&`) are not among
 * its words. Nothing is expanded: `$X` and globs stay as they are. This is a hint and does not parse a shell's whole language.
 */
export function simpleCommands(line: string): string[][] {
  const reading: Reading = { commands: [], words: [], word: null };
  for (let at = 0; at < Math.min(line.length, MAX_CHARS); at += 1) at = readAt(line, at, reading);
  endCommand(reading);
  return reading.commands;
}

/** Reads the part at `at`; returns the index of its last character. */
function readAt(line: string, at: number, reading: Reading): number {
  const char = line[at] ?? '';
  if (char === "'" || char === '"') return readQuoted(line, at, reading);
  if (char === '\\') {
    reading.word = (reading.word ?? '') + (line[at + 1] ?? '').replace('\n', '');
    return at + 1;
  }
  if (SPACE.test(char) && char !== '\n') endWord(reading);
  else if (END.test(char)) endCommand(reading);
  else reading.word = (reading.word ?? '') + char;
  return at;
}

function readQuoted(line: string, at: number, reading: Reading): number {
  const quote = line[at] as string;
  let text = '';
  let end = at + 1;
  for (; end < line.length && line[end] !== quote; end += 1) {
    if (quote === '"' && line[end] === '\\' && /["\\$`]/.test(line[end + 1] ?? '')) end += 1;
    text += line[end];
  }
  reading.word = (reading.word ?? '') + text;
  return end;
}

function endWord(reading: Reading): void {
  if (reading.word === null) return;
  const isAssignment = reading.words.length === 0 && /^[A-Za-z_]\w*=/.test(reading.word);
  if (!isAssignment) reading.words.push(reading.word);
  reading.word = null;
}

function endCommand(reading: Reading): void {
  endWord(reading);
  if (reading.words.length > 0) reading.commands.push(reading.words);
  reading.words = [];
}
