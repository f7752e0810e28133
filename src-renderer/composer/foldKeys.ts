/** Something typed: keys as a terminal sends them, or a paste. */
export interface Piece {
  text: string;
  isPaste: boolean;
}

/** `text` is what stands in the line; `rest` is what was typed after Return, undefined where Return was not pressed. */
export interface FoldedLine {
  text: string;
  rest?: Piece[];
}

const KEY = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?|./gsu;

/** What keys meant for a shell's prompt make of a line: text, Backspace, the kills and Return. Keys without a meaning there are left out. */
export function foldKeys(line: string, pieces: readonly Piece[]): FoldedLine {
  let text = line;
  for (const [at, { text: typed, isPaste }] of pieces.entries()) {
    if (isPaste) {
      text += typed;
      continue;
    }
    for (const { 0: key, index } of typed.matchAll(KEY)) {
      if (key === '\r' || key === '\n') {
        const left = { text: typed.slice(index + key.length), isPaste: false };
        return { text, rest: [...(left.text === '' ? [] : [left]), ...pieces.slice(at + 1)] };
      }
      text = afterKey(text, key);
    }
  }
  return { text };
}

function afterKey(text: string, key: string): string {
  switch (key) {
    case '\x7f':
    case '\b':
      return Array.from(text).slice(0, -1).join('');
    case '\x17':
      return text.replace(/\S*\s*$/, '');
    case '\x03':
    case '\x15':
      return '';
    default:
      return key >= ' ' ? text + key : text;
  }
}
