import { runInNewContext } from 'node:vm';
import { ToolFault } from '../../contract/mcp.ts';
import { MAX_PATTERN_CHARS, MAX_PATTERN_MS, type ScreenReading } from '../../contract/screen.ts';

/** Whether the pattern is found in the screen's text, rows joined by LF. Throws a ToolFault for one that is none or takes too long. */
export function matchesScreen(reading: ScreenReading, pattern: string): boolean {
  if (pattern.length > MAX_PATTERN_CHARS)
    throw new ToolFault('BAD_REGEX', `a pattern has at most ${MAX_PATTERN_CHARS} characters`, 'use a shorter one');
  const text = reading.full ? reading.frame.rows.map((row) => row.text).join('\n') : '';
  try {
    return runInNewContext(
      'new RegExp(pattern, "mu").test(text)',
      { pattern, text },
      { timeout: MAX_PATTERN_MS },
    ) as boolean;
  } catch (error) {
    const isLate = error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    if (isLate)
      throw new ToolFault('REGEX_TIMEOUT', `the pattern took longer than ${MAX_PATTERN_MS} ms`, 'use a simpler one');
    throw new ToolFault(
      'BAD_REGEX',
      `the pattern cannot be read: ${String(error)}`,
      "patterns are JavaScript's, with the flags m and u",
    );
  }
}
