import type { OutputScanned } from '../../../search/scanOutput.ts';
import { type ScanWish, scanFor } from '../../read/scanFor.ts';
import type { McpReadService } from '../../server/McpReadService.ts';
import { cutLine, type LineSpan, type Part, type Parts, roomOf, type Source } from './blockParts.ts';

interface Wish extends Omit<ScanWish, 'spans' | 'maxChars'> {
  readonly room: number;
  readonly signal: AbortSignal;
}

/** Matching lines within the spans with their context, each line once. */
export async function grepParts(
  source: Source,
  spans: readonly LineSpan[],
  { desk, wish: { room, signal, ...wish } }: { desk: McpReadService; wish: Wish },
): Promise<Parts> {
  const scanned = await scanFor(desk, source, { wish: { ...wish, spans, maxChars: room }, signal });
  const { parts, resume } = fitted(source, partsOf(scanned, source.view), room);
  return {
    parts,
    resume: resume ?? (scanned.next === null ? null : { line: scanned.next, col: 0 }),
    ...{ matches: scanned.matches, redactions: scanned.redactions, notSearched: scanned.notSearched },
  };
}

/** Groups consecutive lines into parts. */
function partsOf({ lines }: OutputScanned, view: Source['view']): Part[] {
  const parts: (Part & { lines: string[]; bytes: number })[] = [];
  for (const { n, text, bytes } of lines) {
    let part = parts.at(-1);
    if (!part || part.from + part.lines.length !== n) {
      part = { from: n, fromCol: 0, lines: [], toCol: null, bytes: 0, redactions: 0 };
      parts.push(part);
    }
    part.lines.push(view === 'raw_b64' && bytes > text.length ? `${text}\n` : text);
    part.bytes += view === 'raw_b64' ? bytes : Buffer.byteLength(text) + 1;
  }
  return parts;
}

/** The parts that fit. A single line that is too long is cut, as `toCol` shows; from_line and from_col return its rest. */
function fitted({ view }: Source, parts: readonly Part[], room: number): Pick<Parts, 'parts' | 'resume'> {
  let left = room;
  const kept: Part[] = [];
  for (const part of parts) {
    const count = part.lines.findIndex((line) => {
      left -= roomOf(line, view);
      return left < 0;
    });
    if (count < 0) {
      kept.push(part);
      continue;
    }
    const [long = ''] = part.lines;
    const lines = count === 0 && kept.length === 0 ? [cutLine(long, room, true)] : part.lines.slice(0, count);
    const isCut = count === 0 && lines.length === 1;
    const own = { ...part, lines, toCol: isCut ? (lines[0]?.length ?? 0) : null, bytes: bytesOf(lines, view) };
    return { parts: lines.length > 0 ? [...kept, own] : kept, resume: { line: part.from + lines.length, col: 0 } };
  }
  return { parts: kept, resume: null };
}

function bytesOf(lines: readonly string[], view: Source['view']): number {
  return lines.reduce((sum, line) => sum + (view === 'raw_b64' ? line.length : Buffer.byteLength(line) + 1), 0);
}
