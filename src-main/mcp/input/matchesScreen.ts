import { createContext, Script } from 'node:vm';
import { ToolFault } from '../../contract/mcp/mcp.ts';
import { MAX_PATTERN_CHARS, MAX_PATTERN_MS } from '../../contract/screen/patternLimits.ts';
import type { ScreenReading } from '../../contract/screen/screen.ts';
import { coveredReading, shownRows } from '../../redaction/redactedReading.ts';
import { runWithin, type Within } from '../../util/runWithin.ts';

const TEST = new Script('new RegExp(pattern, "mu").test(text)');

/**
 * Whether the pattern matches the screen's text as the client sees it: secrets redacted, rows joined by LF. Throws a ToolFault for an invalid pattern
 * or one that takes too long.
 */
export function matchesScreen(reading: ScreenReading, pattern: string): boolean {
  if (pattern.length > MAX_PATTERN_CHARS)
    throw new ToolFault('BAD_REGEX', `a pattern has at most ${MAX_PATTERN_CHARS} characters`, 'use a shorter one');
  const text = reading.full ? toldText(reading) : '';
  const run = tested(pattern, text);
  if (!run.isDone)
    throw new ToolFault('REGEX_TIMEOUT', `the pattern took longer than ${MAX_PATTERN_MS} ms`, 'use a simpler one');
  return run.value;
}

/** The redacted text is the only one tested, because a match in a secret, or its duration, would reveal the secret. */
function toldText(reading: ScreenReading): string {
  const rows = shownRows([...coveredReading(reading, 0).rows.values()]).rows;
  return rows.map(({ text }) => text).join('\n');
}

function tested(pattern: string, text: string): Within<boolean> {
  try {
    return runWithin(TEST, createContext({ pattern, text }), MAX_PATTERN_MS);
  } catch (error) {
    throw new ToolFault(
      'BAD_REGEX',
      `the pattern cannot be read: ${String(error)}`,
      "patterns are JavaScript's, with the flags m and u",
    );
  }
}
