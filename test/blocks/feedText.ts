import { BlockText } from '../../src-main/blocks/BlockText.ts';
import type { IndexEntry } from '../../src-main/blocks/lineIndex.ts';
import { StyledLines, type StyledStart } from '../../src-main/blocks/StyledLines.ts';
import type { StyledLine } from '../../src-main/contract/block.ts';

export interface FedText {
  text: string;
  index: IndexEntry[];
  lines: number;
  outBytes: number;
}

/** The text of a block in `chunks`, as in its files. */
export function feedText(chunks: readonly Uint8Array[], base = 0, cols = 80): FedText {
  const block = new BlockText(base, cols);
  const parts = [...chunks.map((chunk) => block.feed(chunk)), block.end()];
  const bytes = Buffer.concat(parts.map(({ text }) => text));
  const index = parts.flatMap((part) => part.index);
  return { text: bytes.toString(), index, lines: block.lines, outBytes: bytes.length };
}

export function feedStyled(chunks: readonly Uint8Array[], start: StyledStart = {}): StyledLine[] {
  const reader = new StyledLines({ cols: 80, ...start });
  return [...chunks.flatMap((chunk) => reader.feed(chunk)), ...reader.end()];
}

/** The plain text of styled lines, as lines. */
export const plain = (lines: readonly StyledLine[]) =>
  lines.map((line) => line.spans.map((span) => span.text).join(''));

/** Lines of a text file; text after the last line feed is a line unless it is empty. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
