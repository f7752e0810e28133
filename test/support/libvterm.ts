import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';

export interface VtCheck {
  line: number;
  expected: string;
  got: string;
}

/** Plays one of libvterm's test files and returns its checks of the cursor and of a row's text. Skips other checks. */
export function playLibvterm(source: string): VtCheck[] {
  const player = new Player();
  for (const [index, line] of source.split('\n').entries()) player.play(line.trim(), index + 1);
  player.dispose();
  return player.checks;
}

class Player {
  readonly checks: VtCheck[] = [];
  #model = new ScreenModel({ cols: 80, rows: 25, scrollbackLines: 100 });

  dispose(): void {
    this.#model.dispose();
  }

  play(line: string, number: number): void {
    const repeated = /^\$(REP|SEQ) (\d+)(?: (\d+))?: (.*)$/.exec(line);
    if (repeated) {
      const [, kind, from, to, step = ''] = repeated;
      const first = kind === 'SEQ' ? Number(from) : 1;
      const last = Number(kind === 'SEQ' ? to : from);
      for (let n = first; n <= last; n++) this.play(step.replaceAll('\\#', String(n)), number);
      return;
    }
    const [word = ''] = line.split(' ', 1);
    const rest = line.slice(word.length).trim();
    if (word === 'PUSH') this.#model.write(readString(rest));
    else if (word === 'RESET' || word === 'INIT') this.#restart(word);
    else if (word === 'RESIZE') this.#resize(rest);
    else if (word === '?cursor') this.#check(number, rest.replace('=', '').trim(), this.#cursor());
    else if (word === '?screen_row') this.#checkRow(number, rest);
  }

  #restart(word: string): void {
    const { cols, rows } = word === 'INIT' ? { cols: 80, rows: 25 } : this.#model;
    this.#model.dispose();
    this.#model = new ScreenModel({ cols, rows, scrollbackLines: 100 });
  }

  #resize(size: string): void {
    const [rows = 25, cols = 80] = size.split(',').map(Number);
    this.#model.resize({ cols, rows });
  }

  /** In libvterm, the cursor stays in the last column while a wrap is pending; it has no position past the margin. */
  #cursor(): string {
    const { cursor, cols } = this.#model.frame();
    return `${cursor.row},${Math.min(cursor.col, cols - 1)}`;
  }

  #checkRow(number: number, rest: string): void {
    const [row = '', value = ''] = rest.split('=', 2).map((part) => part.trim());
    const text = this.#model.frame().rows[Number(row)]?.text ?? '';
    const expected = value.startsWith('0x')
      ? String.fromCodePoint(...value.split(',').map(Number))
      : new TextDecoder().decode(readString(value));
    this.#check(number, expected.trimEnd(), text.trimEnd());
  }

  #check(line: number, expected: string, got: string): void {
    this.checks.push({ line, expected, got });
  }
}

const ESCAPES: Readonly<Record<string, string>> = { e: '\x1b', n: '\n', r: '\r', t: '\t', b: '\b', a: '\x07' };

/** Bytes of a literal: `"A\e[1m"`, `"A"x12`, or several joined by `.`; `\xNN` is the byte NN. */
function readString(source: string): Uint8Array {
  let text = '';
  for (const [, quoted = '', times = '1'] of source.matchAll(/"((?:[^"\\]|\\.)*)"(?:\s*x\s*(\d+))?/g)) {
    const part = quoted.replace(/\\x([0-9a-f]{2})|\\(.)/gi, (_, hex?: string, letter?: string) =>
      hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (ESCAPES[letter ?? ''] ?? letter ?? ''),
    );
    text += part.repeat(Number(times));
  }
  return Buffer.from(text, 'latin1');
}
