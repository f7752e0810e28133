import type { Block } from '../../contract/block.ts';
import { ToolFault } from '../../contract/mcp/mcp.ts';
import type { OutputSize, OutputView } from '../../search/lines/outputLines.ts';
import { type CompiledPattern, compilePattern, type LinePattern } from '../../search/lines/searchText.ts';
import type { OutputScan, OutputScanned } from '../../search/scanOutput.ts';
import type { McpReadService } from '../server/McpReadService.ts';
import type { OutsideTerminal } from './McpRecord.ts';

/** Time limit of one call, which returns the matches until then. Clients give up after 60 s. */
const MOST_MS = 20_000;

export type ScanWish = Pick<
  OutputScan,
  'query' | 'isRegex' | 'flags' | 'spans' | 'context' | 'maxChars' | 'maxMatches'
>;

/** One output in one view. */
export interface ScanSource {
  readonly terminal: OutsideTerminal;
  readonly block: Block;
  readonly view: OutputView;
  readonly size: OutputSize;
}

export interface ScannedFor extends OutputScanned {
  /** Requested lines that were not searched. */
  readonly notSearched: readonly { readonly from_line: number; readonly to_line: number }[];
}

/**
 * Searches lines of an output for an outside client. Throws BAD_REGEX; throws REGEX_TIMEOUT if the expression takes too long on the first unsearched
 * line alone.
 */
export async function scanFor(
  { search }: McpReadService,
  { terminal, block, view, size }: ScanSource,
  { wish, signal }: { wish: ScanWish; signal: AbortSignal },
): Promise<ScannedFor> {
  patternOf(wish.query, wish.isRegex, wish.flags);
  terminal.live?.book.flush();
  const deadlineMs = MOST_MS;
  const scanned = await search.scan({ terminalId: terminal.id, block, view, deadlineMs, ...wish }, signal);
  const { why, next, matches } = scanned;
  if (why === 'slow-line' && next !== null && matches === 0) throw tooSlow(next, size.lines);
  const left = next === null ? [] : wish.spans.filter(({ to }) => to > next);
  return {
    ...scanned,
    notSearched: [
      ...scanned.tooLong.map((line) => ({ from_line: line, to_line: line })),
      ...left.map(({ from, to }) => ({ from_line: Math.max(from, next ?? 0), to_line: Math.min(to, size.lines) - 1 })),
    ],
  };
}

/** Throws BAD_REGEX. */
export function patternOf(query: string, isRegex: boolean, flags?: string): LinePattern {
  const compiled: CompiledPattern = compilePattern(query, isRegex, flags);
  if (compiled.ok) return compiled.pattern;
  throw new ToolFault('BAD_REGEX', compiled.error, 'escape what is meant as it stands');
}

function tooSlow(line: number, total: number): ToolFault {
  return new ToolFault(
    'REGEX_TIMEOUT',
    `line ${line} of ${total} alone takes the expression too long`,
    `simplify the expression, or search for plain text; from_line: ${line + 1} continues after that line`,
    { details: { slow_line: line, total_lines: total } },
  );
}
