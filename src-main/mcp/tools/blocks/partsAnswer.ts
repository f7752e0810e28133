import type { ReadFault } from '../../../store/files/readFault.ts';
import type { ToolAnswer } from '../../protocol/Tool.ts';
import { unreadableText } from '../../read/unreadable.ts';
import type { Part, Parts, Source } from './blockParts.ts';
import { compressLines } from './compressLines.ts';

/** Parts of an output as the answer of `blocks_read`. `lost`: what of its bytes was not recorded, so that the lines of views may differ. */
export function partsAnswer(
  source: Source,
  found: Parts,
  { ref, isCompressed, lost }: { ref: string; isCompressed: boolean; lost: ReadFault | null },
): ToolAnswer {
  const { block, view, size } = source;
  const { resume, matches } = found;
  const texts = textsOf(found.parts, view !== 'raw_b64' && isCompressed);
  const facts = {
    ...{ block_id: ref, view, total_lines: size.lines, total_bytes: block.outputBytes },
    complete: block.status !== 'running',
    ...(matches !== undefined && { matches }),
    ...(found.notSearched && found.notSearched.length > 0 && { not_searched: found.notSearched }),
    ...(lost && { unreadable: [unreadableText(lost)] }),
    omitted: omittedOf(source, found.parts),
    ...(resume && { resume_line: resume.line, ...(resume.col > 0 && { resume_col: resume.col }) }),
    ...(texts.compressor && { compressor: texts.compressor }),
    resource: `term://block/${ref}/output`,
  };
  const redactions = found.redactions ?? found.parts.reduce((sum, part) => sum + part.redactions, 0);
  return { ...partsTold(source, found.parts, { texts: texts.all, facts }), redactions };
}

/** A single part has its text in its own frame. Several parts have a text each; bytes need no frame. */
function partsTold(
  { view, terminal, block }: Source,
  parts: readonly Part[],
  { texts, facts }: { texts: readonly string[]; facts: Record<string, unknown> },
): ToolAnswer {
  const places = parts.map(placeOf);
  if (view === 'raw_b64') {
    const data = parts.map(({ lines }) => Buffer.from(lines.join(''), 'latin1').toString('base64'));
    if (parts.length <= 1) return { facts: { ...facts, parts: places, data_b64: data[0] ?? '' } };
    return { facts: { ...facts, parts: places.map((place, at) => ({ ...place, data_b64: data[at] })) } };
  }
  if (parts.length > 1) return { facts, told: { parts: places.map((place, at) => ({ ...place, text: texts[at] })) } };
  const about = `pty ${terminal.id} · block ${block.id}`;
  return { facts: { ...facts, parts: places }, text: { text: { text: texts[0] ?? '', about } } };
}

function placeOf({ from, fromCol, lines, toCol }: Part): Record<string, number> {
  return {
    ...{ from_line: from, to_line: from + lines.length - 1 },
    ...(fromCol > 0 && { from_col: fromCol }),
    ...(toCol !== null && { to_col: toCol }),
  };
}

/** The lines and bytes of the whole output that are not in the answer. */
function omittedOf({ size }: Source, parts: readonly Part[]): { lines: number; bytes: number } {
  const lines = parts.reduce((sum, part) => sum + part.lines.length, 0);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const isAll = lines >= size.lines && parts.every(({ fromCol, toCol }) => fromCol === 0 && toCol === null);
  return { lines: Math.max(0, size.lines - lines), bytes: isAll ? 0 : Math.max(0, size.bytes - bytes) };
}

function textsOf(
  parts: readonly Part[],
  isCompressed: boolean,
): { all: readonly string[]; compressor: { folded_lines: number; runs: number } | null } {
  if (!isCompressed) return { all: parts.map(({ lines }) => lines.join('\n')), compressor: null };
  const compressor = { folded_lines: 0, runs: 0 };
  const all = parts.map(({ from, lines }) => {
    const { text, how } = compressLines(lines.map((line, at) => ({ n: from + at, text: line })));
    compressor.folded_lines += how.folded_lines;
    compressor.runs += how.runs;
    return text;
  });
  return { all, compressor };
}
