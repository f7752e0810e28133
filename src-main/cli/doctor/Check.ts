import { escapeLine } from '../../util/escapeControls.ts';
import { colour } from '../print/output.ts';

/** Result of a check. `bad` makes the exit code 1; `note` needs no fix. */
export type CheckStatus = 'ok' | 'note' | 'warn' | 'bad';

export interface Check {
  /** Stays the same over versions, for programs that read `--json`. */
  id: string;
  area: 'program' | 'shells' | 'core' | 'permissions' | 'record' | 'disk' | 'mcp';
  status: CheckStatus;
  /** The finding, in one sentence. */
  text: string;
  /** A one-line fix; null when there is nothing to fix. */
  fix: string | null;
}

type MakeCheck = (id: string, text: string, fix?: string) => Check;

/** Makes the checks of one area, by status: `check.warn('size', …)`. */
export function checksOf(area: Check['area']): Readonly<Record<CheckStatus, MakeCheck>> {
  const maker =
    (status: CheckStatus): MakeCheck =>
    (id, text, fix) => ({ id: `${area}.${id}`, area, status, text, fix: fix ?? null });
  return { ok: maker('ok'), note: maker('note'), warn: maker('warn'), bad: maker('bad') };
}

/** A path quoted for a shell, for the commands in fixes. */
export function quotePath(path: string): string {
  return /^[\w./@%+:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

const SIGNS: Readonly<Record<CheckStatus, string>> = { ok: '✓', note: '·', warn: '!', bad: '✗' };
const COLOURS = { ok: 'green', note: 'dim', warn: 'yellow', bad: 'red' } as const;

/** The lines of a check: the finding, and below it the fix. */
export function formatCheck({ status, text, fix }: Check): string[] {
  const line = `  ${colour(COLOURS[status], SIGNS[status])} ${escapeLine(text)}`;
  return fix === null ? [line] : [line, `    → ${escapeLine(fix)}`];
}
