import type { TelemetryStatus } from '../../contract/telemetry.ts';
import { escapeLine } from '../../util/escapeControls.ts';
import { count, formatBytes, formatDuration, formatTime } from '../print/formatFigures.ts';
import { formatPairs } from '../print/table.ts';

/** Formats the report for people. It has header names only, because the status has no values. */
export function statusLines(status: TelemetryStatus, nowMs: number): string[] {
  const { queue } = status;
  return [
    headline(status),
    ...formatPairs([
      ['endpoint', status.url ?? `not usable. ${escapeLine(status.fault ?? '')}`],
      ['content', status.hasContent ? 'texts are sent, redacted' : 'no texts, only names, ids and times'],
      ['headers', status.headers.length === 0 ? 'not set' : status.headers.map(escapeLine).join(', ')],
      ['since', status.sinceMs === null ? (status.isOn ? 'now' : 'off') : formatTime(status.sinceMs)],
      ['queue', `${count(queue.turns, 'turn')}, ${formatBytes(queue.bytes)} of ${formatBytes(queue.limitBytes)}`],
      ['sent', countsOf(status)],
      ['last success', status.lastSuccessMs === null ? 'not since Hansard started' : formatTime(status.lastSuccessMs)],
      ['last error', errorOf(status)],
      ...(status.nextTryMs === null
        ? []
        : [['next try', `in ${formatDuration(Math.max(0, status.nextTryMs - nowMs))}`] as const]),
    ]),
  ];
}

function headline({ isOn, isPaused, fault }: TelemetryStatus): string {
  if (!isOn) return 'Telemetry is off. Nothing is sent.';
  if (fault !== null) return 'Telemetry is on, but nothing can be sent.';
  return isPaused ? 'Telemetry is paused: the collector refused a request.' : 'Telemetry is on.';
}

function countsOf({ sentSpans, rejectedSpans, droppedTurns }: TelemetryStatus): string {
  const parts = [
    count(sentSpans, 'span'),
    ...(rejectedSpans > 0 ? [`${rejectedSpans} rejected by the collector`] : []),
    ...(droppedTurns > 0 ? [`${count(droppedTurns, 'turn')} dropped`] : []),
  ];
  return `${parts.join(', ')} since Hansard started`;
}

function errorOf({ lastError }: TelemetryStatus): string {
  return lastError === null ? 'no error' : `${formatTime(lastError.atMs)}: ${escapeLine(lastError.reason)}`;
}
