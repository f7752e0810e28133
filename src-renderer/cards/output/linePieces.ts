import type { StyledLine, StyledSpan } from '../../../src-main/contract/block.ts';
import { splitHidden } from '../../app/hiddenChars.ts';
import { type FoundLink, findLinks, judgeUrl } from '../../app/links.ts';
import { type CellRun, cellRuns } from './cells.ts';

/** The link of a piece. `shown`: the line itself shows the target, so it is not disguised. */
export interface PieceLink {
  kind: 'url' | 'path';
  target: string;
  shown: boolean;
}

/** A highlighted hit on a line. Offsets are UTF-16; `end` is exclusive. */
export interface LineMark {
  start: number;
  end: number;
  isCurrent: boolean;
}

/** A part of a line with one style, one link and one mark. */
export interface LinePiece {
  runs: CellRun[];
  span: StyledSpan;
  link?: PieceLink;
  mark?: 'found' | 'current';
  /** Name of the hidden character of this piece. */
  hidden?: string;
}

export interface DrawnLine {
  pieces: LinePiece[];
  /** Number of characters that are cut off, because a megabyte in one row is unreadable. */
  cutChars: number;
}

/** Most characters of one line that are drawn: 33 rows at 120 columns. */
export const MAX_DRAWN_CHARS = 4000;

/** The pieces of a line: cut at each border of a span, a link, a mark or a hidden character. */
export function linePieces(line: StyledLine, marks: readonly LineMark[] = []): DrawnLine {
  const { spans, cutChars } = cutSpans(line.spans, MAX_DRAWN_CHARS);
  const text = spans.map((span) => span.text).join('');
  const links = findLinks(text);
  const pieces: LinePiece[] = [];
  let at = 0;
  for (const span of spans) {
    const bounds = borders(at, at + span.text.length, [...links, ...marks]);
    for (const [from, to] of bounds) pieces.push(...pieceOf(span, text.slice(from, to), { at: from, links, marks }));
    at += span.text.length;
  }
  return { pieces, cutChars };
}

interface Overlay {
  at: number;
  links: readonly FoundLink[];
  marks: readonly LineMark[];
}

function pieceOf(span: StyledSpan, text: string, { at, links, marks }: Overlay): LinePiece[] {
  const link = linkAt(span, links, at);
  const mark = marks.find(({ start, end }) => at >= start && at < end);
  return splitHidden(text).map((part) => ({
    runs: part.hidden === undefined ? cellRuns(part.text) : [],
    span,
    ...(link && { link }),
    ...(mark && { mark: mark.isCurrent ? ('current' as const) : ('found' as const) }),
    ...(part.hidden !== undefined && { hidden: part.hidden }),
  }));
}

function linkAt(span: StyledSpan, links: readonly FoundLink[], at: number): PieceLink | undefined {
  if (span.href !== undefined) {
    const isAllowed = judgeUrl(span.href).verdict !== 'never';
    return isAllowed ? { kind: 'url', target: span.href, shown: span.text === span.href } : undefined;
  }
  const found = links.find(({ start, end }) => at >= start && at < end);
  return found && { kind: found.kind, target: found.target, shown: true };
}

/** The ranges of `from`–`to` between the borders of `overlays`; each has at least one character. */
function borders(from: number, to: number, overlays: readonly { start: number; end: number }[]): [number, number][] {
  const inside = overlays.flatMap(({ start, end }) => [start, end]).filter((cut) => cut > from && cut < to);
  const cuts = [from, ...[...new Set(inside)].sort((a, b) => a - b), to];
  return cuts
    .slice(1)
    .map((cut, step): [number, number] => [cuts[step] ?? from, cut])
    .filter(([start, end]) => end > start);
}

function cutSpans(spans: readonly StyledSpan[], maxChars: number): { spans: StyledSpan[]; cutChars: number } {
  const total = spans.reduce((sum, span) => sum + span.text.length, 0);
  if (total <= maxChars) return { spans: [...spans], cutChars: 0 };
  const kept: StyledSpan[] = [];
  let room = maxChars;
  for (const span of spans) {
    if (room <= 0) break;
    const text = span.text.slice(0, room).replace(/[\ud800-\udbff]$/, ''); // avoids half of a surrogate pair
    kept.push({ ...span, text });
    room -= span.text.length;
  }
  return { spans: kept, cutChars: total - kept.reduce((sum, span) => sum + span.text.length, 0) };
}
