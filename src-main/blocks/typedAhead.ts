/** Typed lines that no command has taken yet: the line editor may still echo them, unless a program has read them. */
export interface TypedAhead {
  /** Oldest first. null: editing keys were typed in the line, so its text is unknown. */
  readonly lines: readonly (string | null)[];
  /** Text typed after the last of them. */
  readonly rest: string | null;
  /** An earlier core knew these lines, if there are any. */
  readonly isUnknown?: boolean;
}

export const NOTHING_TYPED: TypedAhead = { lines: [], rest: '' };

/** After this time, a prompt has taken all lines typed before it. */
export const SETTLED_MS = 1000;
/** Older lines count as one line of unknown text. */
const MAX_LINES = 64;
const MAX_LINE_CHARS = 4096;

/** Lines may have been typed, which are unknown. */
export function unknownTyped(isLineBegun: boolean): TypedAhead {
  return { lines: Array<null>(MAX_LINES).fill(null), rest: isLineBegun ? null : '', isUnknown: true };
}

const LINE_ENDS = /[\r\n]/;
const PASTE_BRACKETS = /\x1b\[20[01]~/g;
/** Keys that discard all text typed before them. */
const DROPPING = /[\x03\x04][^\x03\x04]*$/;
const DISCARD_LINE = '\x15';
const EDITING = /[\x00-\x1f\x7f\ufffd]/;
/** A line editor shows these characters unchanged. It may replace `!` by a command of the history. */
const SHOWN_AS_TYPED = /^[ "-~]*$/;

export function isSettled(idleMs: number): boolean {
  return idleMs >= SETTLED_MS;
}

/** `idleMs`: the age of the prompt at its first keys for this core, otherwise null: lines entered at it since may wait for the shell. */
export function typeAhead(before: TypedAhead, keys: string, idleMs: number | null): TypedAhead {
  const kept = keys.slice(keys.search(DROPPING) + 1);
  const isOld = idleMs !== null && isSettled(idleMs);
  const isFresh = kept.length < keys.length || (isOld && before.rest === '');
  const known = isOld && before.isUnknown ? { lines: [], rest: before.rest } : before;
  const { lines, rest, isUnknown = false } = isFresh ? NOTHING_TYPED : known;
  const [first = '', ...others] = kept.replace(PASTE_BRACKETS, '').split(LINE_ENDS);
  const texts = [lineAfter(rest, first), ...others.map((typed) => lineAfter('', typed))];
  const all = [...lines, ...texts.slice(0, -1)];
  return {
    lines: all.length > MAX_LINES ? [null, ...all.slice(1 - MAX_LINES)] : all,
    rest: texts.at(-1) ?? null,
    ...(isUnknown && { isUnknown }),
  };
}

function lineAfter(before: string | null, typed: string): string | null {
  const behind = typed.lastIndexOf(DISCARD_LINE) + 1;
  if (before === null || EDITING.test(typed.slice(0, behind).replaceAll(DISCARD_LINE, ''))) return null;
  const line = behind === 0 ? before + typed : typed.slice(behind);
  return EDITING.test(line) || line.length > MAX_LINE_CHARS ? null : line;
}

/**
 * Removes `count` lines that a shell has taken. The text of the command tells which: programs read the lines before them, or these gave no
 * command.
 */
export function takeLines(before: TypedAhead, count: number, cmd: string | null = null): TypedAhead {
  const taken = cmd?.split('\n') ?? [];
  const at = before.lines.findIndex((_, i) => cmd !== null && taken.every((line, j) => before.lines[i + j] === line));
  return { ...before, lines: before.lines.slice(at < 0 ? count : at + taken.length) };
}

/** Whether a line editor may have shown one of these lines when it took a line typed ahead. */
export function mayEcho({ lines }: TypedAhead, shown: readonly string[]): boolean {
  return lines.some((line) => line === null || !SHOWN_AS_TYPED.test(line) || endsWith(shown, line));
}

/** Whether these lines, which came before the prompt had taken all lines typed ahead, were the echo of one that no command took: it continues in a further line. */
export function wasEcho({ lines, isUnknown = false }: TypedAhead, shown: readonly string[]): boolean {
  return isUnknown || lines.some((line) => line !== null && endsWith(shown, line));
}

function endsWith(shown: readonly string[], line: string): boolean {
  return line !== '' && shown.some((text) => text.endsWith(line));
}
