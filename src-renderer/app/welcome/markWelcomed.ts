import type { TerminalState } from '../../tabs/TerminalState.svelte.ts';
import { guard } from '../../tabs/tabActions.ts';
import type { AppState } from '../AppState.svelte.ts';

/** Whether the choices of the first run are shown: in the first terminal, until something was run or they were closed. Kept by the core. */
export function isWelcome(app: AppState): boolean {
  return !app.settings.current['window.welcomed'];
}

export function endWelcome(app: AppState): void {
  guard(app, app.settings.set({ 'window.welcomed': true }));
}

/** Once for each window: a core that refuses is not asked again and again. */
const marked = new WeakSet<AppState>();

/** Who has run a command knows the window, and is not asked any more. */
export function markWelcomed(app: AppState, { lastBlock }: TerminalState): void {
  if (!lastBlock || !isWelcome(app) || app.link.state !== 'open' || marked.has(app)) return;
  marked.add(app);
  endWelcome(app);
}
