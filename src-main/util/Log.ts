/** One structured log line: what happened (snake_case), to which terminal, with which figures. Never PTY bytes. */
export type Log = (
  event: string,
  fields?: Readonly<Record<string, string | number | boolean | null | undefined>>,
) => void;

/** Writes one JSON object a line to `write`. */
export function createLog(write: (line: string) => void, nowMs: () => number = Date.now): Log {
  return (event, fields = {}) => write(`${JSON.stringify({ ts: nowMs(), event, ...fields })}\n`);
}

/** For callers to whom nobody listens. */
export const silentLog: Log = () => undefined;
