import { rm } from 'node:fs/promises';
import { BlockText } from '../blocks/BlockText.ts';
import { INDEX_EVERY_LINES } from '../blocks/lineIndex.ts';
import type { Block } from '../contract/block.ts';
import { BlockFiles } from '../store/BlockFiles.ts';
import { restedPath } from '../store/openRecordFile.ts';
import { streamRaw } from '../store/readRecord.ts';
import type { BookDeps } from './TerminalDeps.ts';
import type { TerminalRecord } from './TerminalRecord.ts';

/** Makes the files of an ended block from its bytes in output.raw; what was there is replaced. Returns the number of lines. */
export async function deriveText(block: Block, record: TerminalRecord, deps: BookDeps): Promise<number> {
  await removeFiles(block, record);
  const text = new BlockText(block.rawStart, block.cols);
  const files = BlockFiles.open(record.folder, block.id, deps);
  const keep = (delta: ReturnType<BlockText['feed']>): void => {
    files.appendText(delta.text);
    files.appendIndex(delta.index);
  };
  for await (const bytes of streamRaw(record.folder, block.rawStart, block.rawEnd ?? record.size))
    keep(text.feed(bytes));
  keep(text.end());
  await files.close();
  return text.lines;
}

/** The same for a block that addressed the cursor: its lines are what a person saw, shown once more on an emulator from `startRow` on. */
export async function renderText(
  block: Block,
  startRow: number,
  { record, deps }: { record: TerminalRecord; deps: BookDeps },
): Promise<number> {
  const rawEnd = block.rawEnd ?? record.size;
  const { size, resizes } = record.sizesOf(block.rawStart, rawEnd);
  const rendered = deps.screens.renderBlock({
    chunks: streamRaw(record.folder, block.rawStart, rawEnd),
    ...size,
    startRow,
    resizes,
  });
  const first = await rendered.next(); // before the old files go: a worker that was replaced must not leave the block without text
  await removeFiles(block, record);
  const files = BlockFiles.open(record.folder, block.id, { ...deps, source: 'ren' });
  const position = { line: 0, out: 0, src: 0 };
  for (let batch = first; !batch.done; batch = await rendered.next()) {
    for (const { text, sgr } of batch.value) {
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
  await files.close();
  return position.line;
}

async function removeFiles({ id }: Block, { folder }: TerminalRecord): Promise<void> {
  const paths = [folder.out(id), folder.idx(id), folder.ren(id)];
  await Promise.all([...paths, ...paths.map(restedPath)].map((path) => rm(path, { force: true })));
}
