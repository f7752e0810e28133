import { asFields, asString, type Fields } from './jsonFields.ts';
import type { LogSession } from './LogMessage.ts';

/** The `session` of a parser's state; a session of which nothing is known where there is none. */
export function sessionOf(state: Fields = {}): LogSession {
  const session = asFields(state.session);
  const startedMs = session?.startedMs;
  return {
    id: asString(session?.id),
    cwd: asString(session?.cwd),
    cwdDigest: asString(session?.cwdDigest),
    startedMs: typeof startedMs === 'number' ? startedMs : null,
  };
}
