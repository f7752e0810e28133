/** Typed text that no command has taken yet: the line editor will still echo or redraw it. */
export interface TypedAhead {
  /** Line ends that no command has taken. */
  readonly returns: number;
  /** Something was typed behind the last of them. */
  readonly isPartial: boolean;
}

export const NOTHING_TYPED: TypedAhead = { returns: 0, isPartial: false };

/** After this time a prompt has taken all text typed before it. */
const SETTLED_MS = 1000;

/** `idleMs`: the age of the prompt, null without one. A program may have read some of the text: the count is then too high. */
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
