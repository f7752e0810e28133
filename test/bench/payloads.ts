import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export type PayloadName = 'log lines' | 'SGR-heavy' | 'cursor addressing' | 'CJK and emoji';
export const PAYLOADS: readonly PayloadName[] = ['log lines', 'SGR-heavy', 'cursor addressing', 'CJK and emoji'];

/** Size of every other payload as a share of the log payload; the specification has 100 MB and 40 MB. */
const OTHERS_SHARE = 0.4;
const BUFFER_CHARS = 256 * 1024;

/** A linear congruential generator (constants of Numerical Recipes), so that every run has the same bytes. */
class Dice {
  #state = 20_261_004;

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }
}

/** Writes one payload and returns its path and size. The bytes are the same each time. */
export function writePayload(folder: string, name: PayloadName, logMegabytes: number): { path: string; bytes: number } {
  const wanted = logMegabytes * 1e6 * (name === 'log lines' ? 1 : OTHERS_SHARE);
  const path = join(folder, `${name.replaceAll(' ', '-')}-${logMegabytes}.txt`);
  const dice = new Dice();
  const file = openSync(path, 'w');
  let bytes = 0;
  let text = '';
  for (let n = 0; bytes < wanted; n++) {
    text += MAKERS[name](dice, n);
    if (text.length < BUFFER_CHARS) continue;
    bytes += writeSync(file, text);
    text = '';
  }
  closeSync(file);
  return { path, bytes };
}

const MAKERS: Readonly<Record<PayloadName, (dice: Dice, n: number) => string>> = {
  'log lines': logLine,
  'SGR-heavy': colouredLine,
  'cursor addressing': cursorStep,
  'CJK and emoji': wideLine,
};

const LEVELS = ['INFO ', 'INFO ', 'INFO ', 'DEBUG', 'WARN '] as const;
const PLACES = ['api/orders', 'api/users', 'static/app.js', 'health', 'api/search'] as const;

/** A line as in a server's log, 86 characters on average. */
export function logLine(dice: Dice, n: number): string {
  const second = String(n % 60).padStart(2, '0');
  const minute = String(Math.floor(n / 60) % 60).padStart(2, '0');
  return `2026-10-04T12:${minute}:${second}.${100 + dice.below(900)}Z ${dice.of(LEVELS)} [worker-${dice.below(8)}] GET /${dice.of(PLACES)} ${dice.of([200, 200, 304, 404])} ${dice.below(5000)} bytes in ${dice.below(900)} ms\n`;
}

const WORDS = ['const', 'export', 'value', '=>', 'return', 'length', '0x1f', 'await', '"text"', '// why'] as const;

/** Words in a colour each, in all three forms of SGR (8, 256 and RGB colours). */
function colouredLine(dice: Dice): string {
  let line = '';
  for (let i = 0; i < 9; i++) {
    const kind = dice.below(3);
    const sgr =
      kind === 0
        ? `${dice.below(2)};3${dice.below(8)}`
        : kind === 1
          ? `38;5;${dice.below(256)}`
          : `38;2;${dice.below(256)};${dice.below(256)};${dice.below(256)}`;
    line += `\x1b[${sgr}m${dice.of(WORDS)}\x1b[0m `;
  }
  return `${line}\n`;
}

/** A status field at a random position of a 120×40 screen. */
function cursorStep(dice: Dice): string {
  return `\x1b[${1 + dice.below(40)};${1 + dice.below(110)}H${dice.of(WORDS)}${dice.below(1000)}${dice.of(['', '', '', '\x1b[K', '\x1b[5C*'])}`;
}

const WIDE = ['記録', '端末', '漢字かな', '안녕하세요', '中文输出', '👍', '👩‍💻', '🇩🇪', 'naïve', '— ok'] as const;

function wideLine(dice: Dice): string {
  let line = '';
  for (let i = 0; i < 12; i++) line += `${dice.of(WIDE)} `;
  return `${line}\n`;
}
