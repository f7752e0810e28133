import type { InterruptVerdict } from '../contract/agents.ts';
import type { PtyInstance } from '../terminal/PtyInstance.ts';
import type { Clock } from '../util/Clock.ts';
import { screenChanges } from './screenChanges.ts';

const ESCAPE = '\x1b';
/** Text of agents that need a second Escape. */
const AGAIN = /\besc\b[^\n]{0,20}\bagain\b|\bagain\b[^\n]{0,20}\besc\b/i;
const STOPPED_MS = 5_000;

/** Sends Escape to a working agent, a second time if its screen asks for it, and checks that it stops. */
export async function interruptAgent({
  terminal,
  actor,
  clock,
}: {
  terminal: PtyInstance;
  actor: string;
  clock: Clock;
}): Promise<InterruptVerdict> {
  if (!terminal.view.agent || !terminal.agents.hasTerminal) return { ok: false, reason: 'gone' };
  await terminal.screen.drawn(); // a new question would take the Escape as its answer
  if (terminal.view.agent?.state !== 'working') return { ok: false, reason: 'idle' };
  terminal.type(ESCAPE, actor);
  let hasRepeated = false;
  for await (const _ of screenChanges({ terminal, clock }, STOPPED_MS)) {
    if (terminal.view.agent?.state !== 'working') return { ok: true };
    if (hasRepeated || !(await wantsAnother(terminal))) continue;
    await terminal.screen.drawn();
    if (terminal.view.agent?.state !== 'working') return { ok: true };
    hasRepeated = true;
    terminal.type(ESCAPE, actor);
  }
  return terminal.view.agent?.state === 'working' ? { ok: false, reason: 'working' } : { ok: true };
}

async function wantsAnother(terminal: PtyInstance): Promise<boolean> {
  const reading = await terminal.screen.read({ scrollback: 0 });
  return !('error' in reading) && reading.full && reading.frame.rows.some(({ text }) => AGAIN.test(text));
}
