import type { Noted } from '../session/outside/NotifyDesk.ts';
import type { ToolAnswer } from './Tool.ts';
import { screenTextOf } from './tools/screenText.ts';

/** Of a screen among other things; the tool that reads screens gives more. */
const MAX_SCREEN_CHARS = 8_000;

/** Several things that came about, as a list: ours in the facts, what the terminal printed told as such. */
export function notedAnswer(noted: readonly Noted[]): Required<Pick<ToolAnswer, 'facts' | 'told'>> {
  return { facts: { noted: noted.map(factsOf) }, told: { noted: noted.map(toldOf) } };
}

/** One of them alone. */
export function notedAlone(noted: Noted): Required<Pick<ToolAnswer, 'facts' | 'told'>> {
  return { facts: factsOf(noted), told: toldOf(noted) };
}

function factsOf({ id, terminalId, outcome, reason, message, atMs }: Noted): Record<string, unknown> {
  return { id, pty_id: terminalId, outcome, ...(reason !== null && { reason }), message, ts: atMs };
}

function toldOf({ match, screen }: Noted): Record<string, unknown> {
  return { ...(match !== null && { match }), ...(screen && { snapshot: screenTextOf(screen, MAX_SCREEN_CHARS) }) };
}
