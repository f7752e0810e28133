import { expect } from 'vitest';
import type { RealShell } from '../support/RealShell.ts';

/** One command as a person types it. */
export interface Typed {
  keys: string;
  exit: number;
  /** What the card must say; `null`: the shell cannot know, and must say nothing. Without it: what was typed, or nothing. */
  cmd?: string | null;
}

/**
 * The law of every hook: as many cards as commands, in their order; the text is what was typed or absent, never wrong; exit
 * statuses are exact.
 */
export async function expectCards(shell: RealShell, typed: readonly Typed[]): Promise<void> {
  const before = shell.cards.length;
  for (const { keys } of typed) await shell.run(keys);
  const cards = shell.cards.slice(before);
  const said = cards.map(({ cmd, exit }, at) => ({ cmd: allowedText(cmd, typed[at]), exit }));
  const wanted = typed.map(({ keys, cmd, exit }) => ({ cmd: cmd === undefined ? keys : cmd, exit }));
  expect(said).toEqual(wanted);
}

/** An absent text stands for the typed one where the test leaves it open. */
function allowedText(cmd: string | null, typed: Typed | undefined): string | null {
  return cmd === null && typed && typed.cmd === undefined ? typed.keys : cmd;
}

/** Many lines of the same kind, exit 0 and their text known. */
export function known(...lines: string[]): Typed[] {
  return lines.map((keys) => ({ keys, cmd: keys, exit: 0 }));
}
