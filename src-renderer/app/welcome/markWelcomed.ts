import type { TerminalState } from '../../tabs/TerminalState.svelte.ts';
import { guard } from '../../tabs/tabActions.ts';
import type { AppState } from '../AppState.svelte.ts';

/** Whether the first-run choices are shown: in the first terminal, until a command ran or they were closed. The core saves this. */
export function isWelcome(app: AppState): boolean {
  return !app.settings.current['window.welcomed'];
}

export function endWelcome(app: AppState): void {
  guard(app, app.settings.set({ 'window.welcomed': true }));
}

/** Once per window, so that a core that refuses is not asked again and again. */
const marked = new WeakSet<AppState>();

/** Hides the first-run choices for good once the person has run a command. */
export function markWelcomed(app: AppState, { lastBlock }: TerminalState): void {
  if (!lastBlock || !isWelcome(app) || app.link.state !== 'open' || marked.has(app)) return;
  marked.add(app);
  endWelcome(app);
}
