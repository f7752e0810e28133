/** What was typed and not yet taken by a command: the line editor will still echo it, or draws it again. */
export interface TypedAhead {
  /** Line ends that no command has taken. */
  readonly returns: number;
  /** Something was typed behind the last of them. */
  readonly isPartial: boolean;
}

export const NOTHING_TYPED: TypedAhead = { returns: 0, isPartial: false };

/** A prompt that has stood for so long has taken what was typed before it. */
const SETTLED_MS = 1000;

/** `idleMs`: for how long the prompt has stood, null when there is none. A program may have read what was typed: then too much is counted. */
export function typeAhead(before: TypedAhead, keys: string, idleMs: number | null): TypedAhead {
  const line = keys.slice(keys.search(/[\x03\x04][^\x03\x04]*$/) + 1);
  const isFresh = line.length < keys.length || (idleMs !== null && idleMs >= SETTLED_MS && !before.isPartial);
  const { returns, isPartial } = isFresh ? NOTHING_TYPED : before;
  return {
    returns: returns + (line.match(/[\r\n]/g)?.length ?? 0),
    isPartial: line === '' ? isPartial : !/[\r\n]$/.test(line),
  };
}

/** A command or an empty line has taken `lines` of them. */
export function takeLines(before: TypedAhead, lines: number): TypedAhead {
  return { ...before, returns: Math.max(0, before.returns - lines) };
}
