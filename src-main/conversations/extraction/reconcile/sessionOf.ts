import { asFields, asString, type Fields } from './jsonFields.ts';
import type { LogSession } from './LogMessage.ts';

/** Returns the `session` of a parser's state, or a session with unknown fields. */
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
