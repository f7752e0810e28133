import { bigWordStart } from './line/lineWords.ts';

/** Typed input: keys as a terminal sends them, or a paste. */
export interface Piece {
  text: string;
  isPaste: boolean;
}

/**
 * `text`: the line. `caret`: the position of its caret, undefined at its end. `rest`: the keys after Return, undefined if Return was not
 * pressed.
 */
export interface FoldedLine {
  text: string;
  caret?: number;
  rest?: Piece[];
}

/** A line with the caret between its two parts. */
type Line = readonly [before: string, after: string];

/** Keys that walk through the history, before any Return. */
export interface FoundWalk {
  before: Piece[];
  by: 'older' | 'newer';
  after: Piece[];
}

const KEY = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?|./gsu;
const WALK = /\x1b[[O]([AB])|[\x10\x0e]/;

/** Applies keys meant for a shell's prompt to a line: text, caret movements, kills and Return. Drops keys without a meaning there. */
export function foldKeys(text: string, pieces: readonly Piece[]): FoldedLine {
  let line: Line = [text, ''];
  for (const [at, { text: typed, isPaste }] of pieces.entries()) {
    if (isPaste) {
      line = [line[0] + typed, line[1]];
      continue;
    }
    for (const { 0: key, index } of typed.matchAll(KEY)) {
      if (isReturn(key)) return { text: line.join(''), rest: behind(pieces, at, index + key.length) };
      line = afterKey(line, key);
    }
  }
  const [before, after] = line;
  return { text: before + after, ...(after !== '' && { caret: before.length }) };
}

/** The first step through the history; null if Return or the end comes first. */
export function findWalk(pieces: readonly Piece[]): FoundWalk | null {
  for (const [at, { text, isPaste }] of pieces.entries()) {
    if (isPaste) continue;
    for (const { 0: key, index } of text.matchAll(KEY)) {
      if (isReturn(key)) return null;
      const step = WALK.exec(key);
      if (!step) continue;
      const ahead = text.slice(0, index);
      const before = [...pieces.slice(0, at), ...(ahead === '' ? [] : [{ text: ahead, isPaste: false }])];
      const by = step[1] === 'A' || key === '\x10' ? 'older' : 'newer';
      return { before, by, after: behind(pieces, at, index + key.length) };
    }
  }
  return null;
}

function isReturn(key: string): boolean {
  return key === '\r' || key === '\n';
}

/** The pieces after `index` in the piece at `at`. */
function behind(pieces: readonly Piece[], at: number, index: number): Piece[] {
  const left = pieces[at]?.text.slice(index) ?? '';
  return [...(left === '' ? [] : [{ text: left, isPaste: false }]), ...pieces.slice(at + 1)];
}

function afterKey(line: Line, key: string): Line {
  const [before, after] = line;
  switch (key.replace(/^\x1bO/, '\x1b[')) {
    case '\x7f':
    case '\b':
      return [withoutLast(before), after];
    case '\x1b[3~':
      return [before, withoutFirst(after)];
    case '\x17':
      return [before.slice(0, bigWordStart(before, before.length)), after];
    case '\x03':
      return ['', ''];
    case '\x15':
      return ['', after];
    case '\x0b':
      return [before, ''];
    case '\x1b[H':
    case '\x01':
      return ['', before + after];
    case '\x1b[F':
    case '\x05':
      return [before + after, ''];
    case '\x1b[D':
    case '\x02':
      return [withoutLast(before), before.slice(withoutLast(before).length) + after];
    case '\x1b[C':
    case '\x06':
      return [before + after.slice(0, after.length - withoutFirst(after).length), withoutFirst(after)];
    default:
      return key >= ' ' ? [before + key, after] : line;
  }
}

function withoutLast(text: string): string {
  return Array.from(text).slice(0, -1).join('');
}

function withoutFirst(text: string): string {
  return Array.from(text).slice(1).join('');
}
