import type { IndexEntry } from '../../blocks/lineIndex.ts';
import { StyledLines } from '../../blocks/StyledLines.ts';
import type { Block, StyledLine } from '../../contract/block.ts';
import type { ByteRange } from '../../contract/image.ts';
import { decompressFile } from '../../store/archive/compressFile.ts';
import { recordFileSize } from '../../store/files/openRecordFile.ts';
import { type ReadFault, RefusedText } from '../../store/files/readFault.ts';
import { lossIn, streamShown } from '../../store/record/readGaps.ts';
import { readIndex, readOutSlice, readRawSlice, streamRen } from '../../store/record/readRecord.ts';
import { markExported } from '../../store/record/retention.ts';
import type { TerminalRecord } from '../TerminalRecord.ts';
import { blockMarkdown } from './blockMarkdown.ts';
import type { OpenBlock } from './OpenBlock.ts';

/** Limit of a copy, which goes through a clipboard and a message; larger texts can be opened as a file. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;
/** Limit of the lines in one answer, because a message is at most 1 MiB. */
const MAX_ANSWER_CHARS = 512 * 1024;

/** The texts that a full disk has refused. */
interface Refused {
  isRefused(id: string): boolean;
  /** Writes the texts of these blocks again. */
  repair(blocks: readonly Block[]): Promise<void>;
}

interface Source {
  entries: readonly IndexEntry[];
  isRendered: boolean;
  /** Lines that are shown, if they are not those of the text: some bytes could not be recorded. */
  total?: number;
}

/** Reads the output of one terminal's blocks: ranges of coloured lines, and text. The cost depends on the range, not on the output. */
export class BlockReader {
  readonly #record: TerminalRecord;
  readonly #get: (id: string) => Promise<Block | null>;
  readonly #openBlock: (id: string) => OpenBlock | null;
  readonly #texts: () => Refused;
  readonly #sources = new Map<string, Source>();

  constructor(
    record: TerminalRecord,
    get: (id: string) => Promise<Block | null>,
    openBlock: (id: string) => OpenBlock | null,
    texts: () => Refused,
  ) {
    this.#record = record;
    this.#get = get;
    this.#openBlock = openBlock;
    this.#texts = texts;
  }

  /** Reads at most `count` lines from `from` on (negative: from the end). `exact` is false while more may come. Rejects while a full disk has not taken them. */
  async lines(
    id: string,
    from: number,
    count: number,
  ): Promise<{ lines: StyledLine[]; total: number; exact: boolean }> {
    const block = await this.#block(id);
    const open = this.#openBlock(id);
    const total = open ? open.lines : ((await this.#source(block)).total ?? block.outputLines);
    const first = Math.max(0, from < 0 ? total + from : from);
    const lines: StyledLine[] = [];
    let chars = 0;
    for await (const line of this.#read(block, first, Math.min(count, Math.max(0, total - first)))) {
      lines.push(line);
      chars += line.spans.reduce((sum, { text }) => sum + text.length, 0);
      if (chars > MAX_ANSWER_CHARS) break;
    }
    const isCut = chars <= MAX_ANSWER_CHARS && lines.length < Math.min(count, total - first);
    if (isCut && (this.#record.isRefused || this.#texts().isRefused(id))) throw this.#refusal(id);
    return { lines, total, exact: open === null };
  }

  /** Output as plain text, the command, both as a terminal shows them, or Markdown with a fence that the text cannot close. */
  async text(
    id: string,
    what: 'output' | 'command' | 'both' | 'markdown',
  ): Promise<{ text: string; truncated: boolean }> {
    const block = await this.#block(id);
    const cmd = block.cmd ?? '';
    if (what === 'command') return { text: cmd, truncated: false };
    const { text: output, truncated } = await this.#output(block);
    if (what === 'output') return { text: output, truncated };
    if (what === 'both') return { text: `$ ${cmd}\n${output}`, truncated };
    return { text: blockMarkdown(block, output, truncated), truncated };
  }

  /** The original bytes of an image; fewer if the record ends before `to`. */
  async imageBytes({ from, to }: ByteRange): Promise<{ base64: string }> {
    return { base64: Buffer.from(await readRawSlice(this.#record.folder, from, to)).toString('base64') };
  }

  async exportAs(
    id: string,
    format: 'txt' | 'md' | 'ansi',
  ): Promise<{ fileName: string; text: string; truncated: boolean }> {
    const name = `${this.#record.meta.id}-${id}`;
    await markExported(this.#record.folder).catch(() => undefined); // an error needs no report here: the record reports that its disk refuses
    if (format === 'md') return { fileName: `${name}.md`, ...(await this.text(id, 'markdown')) };
    if (format === 'txt') return { fileName: `${name}.txt`, ...(await this.text(id, 'both')) };
    const { lines, total } = await this.lines(id, 0, Number.MAX_SAFE_INTEGER);
    return { fileName: `${name}.ansi`, text: lines.map(ansiLine).join('\n'), truncated: lines.length < total };
  }

  /** Path of the block's plain text, complete up to now. Rejects if the disk has no room for it. */
  async outputFile(id: string): Promise<string> {
    const block = await this.#block(id);
    await this.requireText(id);
    const path = this.#record.folder.out(block.id);
    await decompressFile(path);
    return path;
  }

  /**
   * Resolves when the block's text file has its text, which is written again if it is missing. Rejects with a RefusedText if a full disk has not
   * taken a part of it. `isRead`: the file was read and has a text, so that it is not looked for.
   */
  async requireText(id: string, isRead = false): Promise<void> {
    const open = this.#openBlock(id);
    if (open?.isRefused) throw this.#refusal(id);
    if (open || (isRead && !this.#texts().isRefused(id))) return;
    const block = await this.#block(id);
    if (block.ephemeral || (await this.#isThere(block))) return;
    await this.#texts().repair([block]);
    if (!(await this.#isThere(block))) throw this.#refusal(id);
  }

  /**
   * Resolves if output.raw has all bytes of the block, or of the terminal if `rawEnd` is null, so far. Rejects with a RefusedText if a full disk
   * has not taken them.
   */
  async requireBytes({ rawEnd }: Pick<Block, 'rawEnd'>): Promise<void> {
    const { folder, isRefused, size } = this.#record;
    if (!isRefused || ((await recordFileSize(folder.raw)) ?? 0) >= (rawEnd ?? size)) return;
    throw new RefusedText(folder.raw);
  }

  /** What of the block's output could not be recorded; null for nothing. */
  async lossOf(id: string): Promise<ReadFault | null> {
    const gaps = await this.#record.gaps();
    if (gaps.length === 0) return null;
    const { rawStart: from, rawEnd } = await this.#block(id);
    return lossIn(this.#record.folder, { from, to: rawEnd ?? this.#record.size }, gaps);
  }

  async #isThere({ id, outputLines }: Block): Promise<boolean> {
    if (this.#texts().isRefused(id)) return false;
    return outputLines === 0 || ((await recordFileSize(this.#record.folder.out(id))) ?? 0) > 0;
  }

  #refusal(id: string): RefusedText {
    return new RefusedText(this.#record.folder.out(id));
  }

  /** Forgets cached facts about the block's files, which were replaced. */
  forget(id: string): void {
    this.#sources.delete(id);
  }

  async *#read(block: Block, first: number, count: number): AsyncGenerator<StyledLine> {
    if (count > 0) yield* this.#lines(block, await this.#source(block), first, count);
  }

  async *#lines(block: Block, source: Source, first: number, count: number): AsyncGenerator<StyledLine> {
    const entry = source.entries.findLast(({ line }) => line <= first);
    const skip = first - (entry?.line ?? 0);
    const reader = new StyledLines({
      ...(entry && { entry }),
      ...(block.cols !== undefined && { cols: block.cols }),
      count: skip + count,
      hasImages: source.isRendered,
    });
    const wanted = (lines: StyledLine[]): StyledLine[] =>
      lines.filter(({ n }) => n >= first).map((line) => withImages(line, block.rawStart));
    for await (const bytes of this.#bytes(block, source, entry)) {
      yield* wanted(reader.feed(bytes));
      if (reader.isDone) return;
    }
    yield* wanted(reader.end());
  }

  async *#bytes(block: Block, { isRendered }: Source, entry: IndexEntry | undefined): AsyncGenerator<Uint8Array> {
    const { folder, isRefused, size } = this.#record;
    if (isRendered) return yield* streamRen(folder, block.id, entry?.src ?? 0);
    const isEnded = block.rawEnd !== null && !isRefused;
    const range = { from: entry?.src ?? block.rawStart, to: block.rawEnd ?? size, isEnded };
    yield* streamShown(folder, range, await this.#record.gaps());
  }

  async #source(block: Block): Promise<Source> {
    const open = this.#openBlock(block.id);
    if (open) return { entries: open.index, isRendered: false };
    const known = this.#sources.get(block.id);
    if (known) return known;
    const { entries, source } = await readIndex(this.#record.folder, block.id);
    const isRendered = source === 'ren';
    const end = block.rawEnd ?? this.#record.size;
    const gaps = isRendered ? [] : await this.#record.gaps();
    const gap = gaps.find(({ fromOffset, toOffset }) => fromOffset < end && toOffset > block.rawStart);
    const found = gap ? await this.#lossy(block, entries, gap.fromOffset) : { entries, isRendered };
    if (!this.#record.isRefused) this.#sources.set(block.id, found); // while its disk is full, gaps are not known yet
    return found;
  }

  /** The lines of a block whose bytes lack some from `at` on are not those of its text, and are counted as they are shown. */
  async #lossy(block: Block, entries: readonly IndexEntry[], at: number): Promise<Source> {
    const source = { entries: entries.filter(({ src }) => src <= at), isRendered: false };
    let total = 0;
    for await (const { n } of this.#lines(block, source, 0, Number.MAX_SAFE_INTEGER)) total = n + 1;
    return { ...source, total };
  }

  async #output(block: Block): Promise<{ text: string; truncated: boolean }> {
    if (block.ephemeral) return this.#outputFromRaw(block);
    await this.requireText(block.id);
    const bytes = await readOutSlice(this.#record.folder, block.id, 0, MAX_TEXT_BYTES + 1);
    const truncated = bytes.length > MAX_TEXT_BYTES;
    return { text: new TextDecoder().decode(bytes.subarray(0, MAX_TEXT_BYTES)), truncated };
  }

  /** An ephemeral block has no text file. */
  async #outputFromRaw(block: Block): Promise<{ text: string; truncated: boolean }> {
    const { lines, total } = await this.lines(block.id, 0, Number.MAX_SAFE_INTEGER);
    const text = lines.map(({ spans }) => spans.map((span) => span.text).join('')).join('\n');
    return { text, truncated: lines.length < total };
  }

  async #block(id: string): Promise<Block> {
    const block = await this.#get(id);
    if (!block) throw new Error(`No block "${id}" in terminal "${this.#record.meta.id}"`);
    return block;
  }
}

/** Converts image offsets, which count from the block's start in its files. */
function withImages(line: StyledLine, rawStart: number): StyledLine {
  if (!line.images) return line;
  const images = line.images.map((slice) => {
    const { from, to } = slice.image;
    return { ...slice, image: { ...slice.image, from: rawStart + from, to: rawStart + to } };
  });
  return { ...line, images };
}

/** Writes only SGR and text, so that printing the file produces no other sequence. */
function ansiLine({ spans }: StyledLine): string {
  return spans.map((span) => `${sgrOf(span)}${span.text}\x1b[0m`).join('');
}

const FLAGS = { bold: 1, dim: 2, italic: 3, underline: 4, inverse: 7, strike: 9 } as const;

function sgrOf(span: StyledLine['spans'][number]): string {
  const codes: (number | string)[] = (Object.keys(FLAGS) as (keyof typeof FLAGS)[])
    .filter((flag) => span[flag])
    .map((flag) => FLAGS[flag]);
  if (span.fg !== undefined) codes.push(`38;${colorCode(span.fg)}`);
  if (span.bg !== undefined) codes.push(`48;${colorCode(span.bg)}`);
  return codes.length > 0 ? `\x1b[${codes.join(';')}m` : '';
}

function colorCode(color: number | string): string {
  if (typeof color === 'number') return `5;${color}`;
  const rgb = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return `2;${rgb.join(';')}`;
}
