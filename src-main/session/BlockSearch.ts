import type { FindHit } from '../contract/api.ts';
import type { Block, StyledLine } from '../contract/block.ts';
import { streamOut } from '../store/readRecord.ts';
import type { SessionFolder } from '../store/SessionFolder.ts';
import { type CompiledPattern, compilePattern, type LineMatcher } from './searchText.ts';

const TOO_SLOW = 'this pattern takes too long; make it simpler';
/** Lines that are read and matched at a time. */
const BATCH_LINES = 4000;

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

/** What searching needs of the blocks of one terminal. */
export interface SearchSource {
  folder: SessionFolder;
  /** All blocks with output, newest first. */
  newestFirst(): AsyncGenerator<Block>;
  lines(id: string, from: number, count: number): Promise<{ lines: StyledLine[] }>;
  flush(): void;
}

/** Searches the text of blocks. Reads each byte of a searched block once and holds a batch of lines. */
export class BlockSearch {
  readonly #source: SearchSource;

  constructor(source: SearchSource) {
    this.#source = source;
  }

  /** Matching lines of one block (or those that do not match) with `context` lines around each. */
  async filter(
    id: string,
    spec: FilterSpec,
  ): Promise<{ lines: StyledLine[]; matches: number[]; truncated: boolean; error: string | null }> {
    const pattern = compilePattern(spec.pattern, true);
    if (!pattern.ok) return { lines: [], matches: [], truncated: false, error: pattern.error };
    const matches: number[] = [];
    let isTruncated = false;
    let error: string | null = null;
    for await (const found of this.#matches(id, pattern.match)) {
      if (found === TOO_SLOW) error = TOO_SLOW;
      else if ((found.spans !== null) !== spec.invert) matches.push(found.n);
      isTruncated = matches.length > spec.limit;
      if (isTruncated || error) break;
    }
    matches.length = Math.min(matches.length, spec.limit);
    return { lines: await this.#withContext(id, matches, spec), matches, truncated: isTruncated, error };
  }

  /** Hits in one block, or in all of the terminal's, newest block first and top to bottom in each. */
  async find(spec: FindSpec): Promise<{ hits: FindHit[]; truncated: boolean; error: string | null }> {
    const pattern: CompiledPattern = compilePattern(spec.query, spec.regex);
    if (!pattern.ok) return { hits: [], truncated: false, error: pattern.error };
    const hits: FindHit[] = [];
    for await (const blockId of this.#ids(spec.blockId)) {
      for await (const found of this.#matches(blockId, pattern.match)) {
        if (found === TOO_SLOW) return { hits, truncated: true, error: TOO_SLOW };
        for (const span of found.spans ?? []) hits.push({ blockId, n: found.n, ...span });
        if (hits.length >= spec.limit) return { hits: hits.slice(0, spec.limit), truncated: true, error: null };
      }
    }
    return { hits, truncated: false, error: null };
  }

  async *#ids(blockId: string | undefined): AsyncGenerator<string> {
    if (blockId !== undefined) yield blockId;
    else for await (const { id } of this.#source.newestFirst()) yield id;
  }

  async *#matches(
    id: string,
    match: LineMatcher,
  ): AsyncGenerator<{ n: number; spans: { start: number; end: number }[] | null } | typeof TOO_SLOW> {
    let n = 0;
    for await (const lines of this.#batches(id)) {
      const found = match(lines);
      if (found === null) {
        yield TOO_SLOW;
        return;
      }
      for (const spans of found) yield { n: n++, spans };
    }
  }

  async *#batches(id: string): AsyncGenerator<string[]> {
    this.#source.flush();
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of streamOut(this.#source.folder, id)) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (let at = 0; at < lines.length; at += BATCH_LINES) yield lines.slice(at, at + BATCH_LINES);
    }
    rest += decoder.decode();
    if (rest !== '') yield [rest];
  }

  /** Lines around matches, each once; neighbouring windows are read together. */
  async #withContext(id: string, matches: readonly number[], { context, limit }: FilterSpec): Promise<StyledLine[]> {
    const lines: StyledLine[] = [];
    let next = 0;
    for (let i = 0; i < matches.length && lines.length < limit * 2; i++) {
      const from = Math.max(next, (matches[i] as number) - context);
      let to = (matches[i] as number) + context + 1;
      while (i + 1 < matches.length && (matches[i + 1] as number) - context <= to && to - from < limit)
        to = (matches[++i] as number) + context + 1;
      const read = await this.#source.lines(id, from, to - from);
      lines.push(...read.lines);
      next = to;
    }
    return lines;
  }
}
