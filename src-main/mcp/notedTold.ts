import type { Noted } from '../session/outside/NotifyDesk.ts';
import { outsideText } from '../session/outside/outsideText.ts';

/** Something that was watched for, with what the terminal printed made safe. */
export function notedTold({ id, terminalId, outcome, message, atMs, match }: Noted): object {
  return { id, pty_id: terminalId, outcome, message, ts: atMs, match: match === null ? null : outsideText(match).text };
}
