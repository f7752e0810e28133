/** One structured log line: the event (snake_case), its terminal, and numbers. Never PTY bytes. */
export type Log = (
  event: string,
  fields?: Readonly<Record<string, string | number | boolean | null | undefined>>,
) => void;

/** Writes one JSON object per line to `write`. */
export function createLog(write: (line: string) => void, nowMs: () => number = Date.now): Log {
  return (event, fields = {}) => write(`${JSON.stringify({ ts: nowMs(), event, ...fields })}\n`);
}

/** For callers without a log. */
export const silentLog: Log = () => undefined;
