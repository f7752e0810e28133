import { basename } from 'node:path';
import type { FindHit } from '../../contract/api.ts';
import type { Block, StyledLine } from '../../contract/block.ts';
import { ByteScanner, scanPieces } from '../../search/ByteScanner.ts';
import { hintOf } from '../../search/lines/LineHint.ts';
import { type CompiledPattern, compilePattern, SLOW_PATTERN, type Span } from '../../search/lines/searchText.ts';
import { type ReadFault, RefusedText, untilFault } from '../../store/files/readFault.ts';
import { streamOut } from '../../store/record/readRecord.ts';
import type { SessionFolder } from '../../store/record/SessionFolder.ts';
import type { BlockReader } from './BlockReader.ts';

const TOO_SLOW = SLOW_PATTERN;
const PAGE_BLOCKS = 500;
type Compiled = Extract<CompiledPattern, { ok: true }>;

/** Lines [from, to): one that matches, or several that do not. */
interface Lines {
  readonly from: number;
  readonly to: number;
  readonly isMatch: boolean;
  readonly spans: readonly Span[];
}

interface FilterSpec {
  pattern: string;
  invert: boolean;
  context: number;
  limit: number;
}

interface FindSpec {
  query: string;
  regex: boolean;
  limit: number;
  blockId?: string | undefined;
}

/** Access of a search to the blocks of one terminal. */
export interface SearchSource {
  folder: SessionFolder;
  /** The newest blocks before that seq, oldest first. */
  page(query: { beforeSeq?: number | undefined; limit: number }): Promise<{ blocks: Block[]; more: boolean }>;
  reader: Pick<BlockReader, 'lines' | 'requireText' | 'lossOf'>;
}

/** Searches the text of blocks. Reads each byte of a searched block once and holds one batch of lines. */
export class BlockSearch {
  readonly #source: SearchSource;

  constructor(source: SearchSource) {
    this.#source = source;
  }

  /** Matching (or non-matching) lines of one block, with `context` lines around each. */
  async filter(
    id: string,
    spec: FilterSpec,
  ): Promise<{ lines: StyledLine[]; matches: number[]; truncated: boolean; error: string | null }> {
    const compiled = compilePattern(spec.pattern, true);
    if (!compiled.ok) return { lines: [], matches: [], truncated: false, error: compiled.error };
    const matches: number[] = [];
    let error: string | null = null;
    for await (const found of this.#lines(id, compiled)) {
      if (typeof found === 'string') error = found;
      else if (found.isMatch !== spec.invert) {
        for (let n = found.from; n < found.to && matches.length <= spec.limit; n += 1) matches.push(n);
      }
      if (matches.length > spec.limit) break;
    }
    const isTruncated = matches.length > spec.limit;
    matches.length = Math.min(matches.length, spec.limit);
    return { lines: await this.#withContext(id, matches, spec), matches, truncated: isTruncated, error };
  }

  /** Hits in one block or in all blocks of the terminal, newest block first, and top to bottom in each. */
  async find(spec: FindSpec): Promise<{ hits: FindHit[]; truncated: boolean; error: string | null }> {
    const compiled = compilePattern(spec.query, spec.regex);
    if (!compiled.ok) return { hits: [], truncated: false, error: compiled.error };
    const hits: FindHit[] = [];
    let error: string | null = null;
    for await (const blockId of this.#ids(spec.blockId)) {
      for await (const found of this.#lines(blockId, compiled)) {
        if (found === TOO_SLOW) return { hits, truncated: true, error: TOO_SLOW };
        if (typeof found === 'string') {
          error = found;
          continue;
        }
        for (const span of found.spans) hits.push({ blockId, n: found.from, ...span });
        if (hits.length >= spec.limit) return { hits: hits.slice(0, spec.limit), truncated: true, error };
      }
    }
    return { hits, truncated: false, error };
  }

  async *#ids(blockId: string | undefined): AsyncGenerator<string> {
    if (blockId !== undefined) yield blockId;
    else for await (const { id } of newestFirst(this.#source)) yield id;
  }

  /** Yields all lines of a block in order: each match alone, and the lines between matches together; a sentence for lines that were not searched. */
  async *#lines(id: string, { pattern, source, flags }: Compiled): AsyncGenerator<Lines | string> {
    const scanner = new ByteScanner({ pattern, hint: hintOf(source, flags) });
    let from = 0;
    const upTo = (to: number): Lines => ({ from, to, isMatch: false, spans: [] });
    let fault: ReadFault | null = null;
    const onFault = (found: ReadFault): void => {
      fault = found;
    };
    const path = this.#source.folder.out(id);
    for await (const line of scanPieces(scanner, untilFault(streamOut(this.#source.folder, id), { path, onFault }))) {
      if (!line?.spans) continue;
      if (line.n > from) yield upTo(line.n);
      from = line.n + 1;
      yield { from: line.n, to: from, isMatch: true, spans: line.spans };
    }
    if (scanner.reached > from) yield upTo(scanner.reached);
    const refusal = fault ? wordsOf(fault) : await refusalOf(this.#source.reader.requireText(id, scanner.reached > 0));
    if (refusal) yield `an output was not searched: ${refusal}`;
    const lost = await this.#source.reader.lossOf(id);
    if (lost) yield `an output was not searched completely: ${wordsOf(lost)}`;
    for (const n of scanner.tooLong) yield `line ${n + 1} is too long to be searched`;
    if (scanner.slowLine !== null) yield TOO_SLOW;
  }

  /** Lines around matches, each once; adjacent ranges are read together. */
  async #withContext(id: string, matches: readonly number[], { context, limit }: FilterSpec): Promise<StyledLine[]> {
    const lines: StyledLine[] = [];
    let next = 0;
    for (let i = 0; i < matches.length && lines.length < limit * 2; i++) {
      const from = Math.max(next, (matches[i] as number) - context);
      let to = (matches[i] as number) + context + 1;
      while (i + 1 < matches.length && (matches[i + 1] as number) - context <= to && to - from < limit)
        to = (matches[++i] as number) + context + 1;
      const read = await this.#source.reader.lines(id, from, to - from);
      lines.push(...read.lines);
      next = to;
    }
    return lines;
  }
}

function wordsOf({ path, reason }: ReadFault): string {
  return `${basename(path)} ${reason}`;
}

/** Why a full disk has not taken a text, or null. */
async function refusalOf(required: Promise<void>): Promise<string | null> {
  try {
    await required;
    return null;
  } catch (error) {
    if (error instanceof RefusedText) return error.message;
    throw error;
  }
}

/** All blocks with output, newest first. */
async function* newestFirst({ page }: Pick<SearchSource, 'page'>): AsyncGenerator<Block> {
  for (let beforeSeq: number | undefined; ; ) {
    const { blocks, more } = await page({ beforeSeq, limit: PAGE_BLOCKS });
    for (const block of blocks.toReversed()) if (block.outputBytes > 0) yield block;
    beforeSeq = blocks[0]?.seq;
    if (!more || beforeSeq === undefined) return;
  }
}
