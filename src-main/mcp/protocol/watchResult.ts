import type { WatchResult } from '../read/WatchService.ts';
import { screenTextOf } from './screenText.ts';
import type { ToolAnswer } from './Tool.ts';

/** Limit for a screen among other results; the tool that reads screens returns more. */
const MAX_SCREEN_CHARS = 8_000;

type NotedAnswer = Required<Pick<ToolAnswer, 'facts' | 'told' | 'redactions'>>;

/** Several watch results as a list: our fields in the facts, terminal output in `told`. */
export function notedAnswer(noted: readonly WatchResult[]): NotedAnswer {
  const told = noted.map(toldOf);
  const redactions = told.reduce((sum, one) => sum + one.redactions, 0);
  return { facts: { noted: noted.map(factsOf) }, told: { noted: told.map((one) => one.told) }, redactions };
}

/** A single watch result. */
export function notedAlone(noted: WatchResult): NotedAnswer {
  return { facts: factsOf(noted), ...toldOf(noted) };
}

function factsOf({ id, terminalId, outcome, reason, message, atMs }: WatchResult): Record<string, unknown> {
  return { id, pty_id: terminalId, outcome, ...(reason !== null && { reason }), message, ts: atMs };
}

function toldOf({ match, screen }: WatchResult): Pick<NotedAnswer, 'told' | 'redactions'> {
  const { text, redactions } = screen ? screenTextOf(screen, MAX_SCREEN_CHARS) : { text: null, redactions: 0 };
  return { told: { ...(match !== null && { match }), ...(text !== null && { snapshot: text }) }, redactions };
}
