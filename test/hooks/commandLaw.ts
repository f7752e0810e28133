import { expect } from 'vitest';
import type { RealShell } from '../support/RealShell.ts';

/** A command as a person types it. */
export interface Typed {
  keys: string;
  exit: number;
  /** The card's command; `null` means that the shell cannot know it and must not report any. If absent: the typed keys or no text. */
  cmd?: string | null;
}

/** The law of every hook: one card per command, in order; its text is the typed one or absent, never wrong; exit statuses are exact. */
export async function expectCards(shell: RealShell, typed: readonly Typed[]): Promise<void> {
  const before = shell.cards.length;
  for (const { keys } of typed) await shell.run(keys);
  const cards = shell.cards.slice(before);
  const said = cards.map(({ cmd, exit }, at) => ({ cmd: allowedText(cmd, typed[at]), exit }));
  const wanted = typed.map(({ keys, cmd, exit }) => ({ cmd: cmd === undefined ? keys : cmd, exit }));
  expect(said).toEqual(wanted);
}

/** Replaces an absent text with the typed keys when the test allows both. */
function allowedText(cmd: string | null, typed: Typed | undefined): string | null {
  return cmd === null && typed && typed.cmd === undefined ? typed.keys : cmd;
}

/** Commands that exit with 0 and whose text the card must have. */
export function known(...lines: string[]): Typed[] {
  return lines.map((keys) => ({ keys, cmd: keys, exit: 0 }));
}
