import { BlockText } from '../../blocks/BlockText.ts';
import type { Block } from '../../contract/block.ts';
import { INDEX_EVERY_LINES } from '../../contract/block.ts';
import { ImageSlicer } from '../../shared/images/ImageSlicer.ts';
import { BlockFiles } from '../../store/record/BlockFiles.ts';
import { streamShown } from '../../store/record/readGaps.ts';
import type { BookDeps } from '../TerminalDeps.ts';
import type { TerminalRecord } from '../TerminalRecord.ts';

interface Book {
  record: TerminalRecord;
  deps: BookDeps;
}

/** Facts about an ended block that its files provide. */
export interface Derived {
  outputLines: number;
  images?: number;
}

/**
 * Makes or replaces the files of an ended block from its bytes in output.raw. Renders a block that may have images, because after a crash
 * it is unknown whether it has some.
 */
export async function deriveText(block: Block, startRow: number, book: Book): Promise<Derived> {
  const { record, deps } = book;
  requireBytes(record);
  const bytesOf = await bytesIn(block, record);
  if (await mayHaveImages(bytesOf())) return renderText(block, startRow, book);
  const text = new BlockText(block.rawStart, block.cols);
  const files = BlockFiles.beside(record.folder, block.id, deps);
  const keep = (delta: ReturnType<BlockText['feed']>): void => {
    files.appendText(delta.text);
    files.appendIndex(delta.index);
  };
  return replacing(files, async () => {
    for await (const bytes of bytesOf()) keep(text.feed(bytes));
    keep(text.end());
    return { outputLines: text.lines };
  });
}

function requireBytes(record: TerminalRecord): void {
  if (record.isRefused) throw new Error('the disk has refused bytes of the output so far');
}

/** The bytes of an ended block. Reading them rejects if some are not on disk, so that no text is made of a part. */
async function bytesIn({ rawStart, rawEnd }: Block, record: TerminalRecord): Promise<() => AsyncGenerator<Uint8Array>> {
  const gaps = await record.gaps();
  return () =>
    streamShown(record.folder, { from: rawStart, to: rawEnd ?? record.size, isEnded: rawEnd !== null }, gaps);
}

async function mayHaveImages(pieces: AsyncIterable<Uint8Array>): Promise<boolean> {
  const slicer = new ImageSlicer();
  for await (const bytes of pieces) {
    slicer.cut(bytes, 0);
    if (slicer.found > 0) return true;
  }
  return false;
}

/** Like `deriveText` for a block that addressed the cursor: its lines are those that a person saw, replayed on an emulator from `startRow` on. */
export async function renderText(block: Block, startRow: number, { record, deps }: Book): Promise<Derived> {
  requireBytes(record);
  const { size, resizes } = record.sizesOf(block.rawStart, block.rawEnd ?? record.size);
  const rendered = deps.screens.renderBlock({
    chunks: (await bytesIn(block, record))(),
    ...size,
    startRow,
    resizes,
  });
  const files = BlockFiles.beside(record.folder, block.id, { ...deps, source: 'ren' });
  return replacing(files, async () => {
    const position = { line: 0, out: 0, src: 0 };
    const images = new Set<string>();
    for await (const rows of rendered) {
      for (const { text, sgr } of rows) {
        for (const [, from = ''] of sgr.matchAll(IMAGE_FROM)) images.add(from);
        if (position.line > 0 && position.line % INDEX_EVERY_LINES === 0) files.appendIndex([{ ...position, sgr: '' }]);
        const out = Buffer.from(`${text}\n`);
        const ren = Buffer.from(`${sgr}\n`);
        files.appendText(out);
        files.appendRendered(ren);
        position.line += 1;
        position.out += out.length;
        position.src += ren.length;
      }
    }
    return { outputLines: position.line, ...(images.size > 0 && { images: images.size }) };
  });
}

/** The first number of an image in a rendered line (`sliceText`). */
const IMAGE_FROM = /\x1b_ht;[\d,]+;(\d+)/g;

/** Readers, even in other threads, see the old files or the new ones, never a part; the old files stay if `write` fails. */
async function replacing<T>(files: BlockFiles, write: () => Promise<T>): Promise<T> {
  try {
    const written = await write();
    await files.replace();
    return written;
  } catch (error) {
    await files.discard();
    throw error;
  }
}
