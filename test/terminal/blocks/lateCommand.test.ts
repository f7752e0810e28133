import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import type { BlockInput } from '../../../src-main/blocks/BlockState.ts';
import type { Block } from '../../../src-main/contract/block.ts';
import type { ScreenHost } from '../../../src-main/screen/worker/ScreenHost.ts';
import { readBlocks } from '../../../src-main/store/record/readBlocks.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { BlockStore } from '../../../src-main/terminal/blocks/BlockStore.ts';
import { CommandHistory } from '../../../src-main/terminal/blocks/CommandHistory.ts';
import { TerminalRecord } from '../../../src-main/terminal/TerminalRecord.ts';
import { systemClock } from '../../../src-main/util/Clock.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { begin, end, out } from '../../blocks/blockInputs.ts';
import { begun } from '../../store/records.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';

const root = suiteFolder('lateCommand');
const NOW = { atMs: 1000, monoMs: 0 };
const OUTPUT = 'one\r\ntwo\r\n';
let count = 0;
let stop = async (): Promise<void> => undefined;
afterEach(() => stop());

/** A terminal with one ended command, whose text is not known yet. */
async function ended({ ignoresSpace = false, earlier = undefined as Block[] | undefined } = {}) {
  const folder = new SessionFolder(root, `t${count++}`);
  folder.create();
  const history = new CommandHistory();
  const screens = {} as ScreenHost; // nothing here is rendered
  const deps = {
    log: silentLog,
    clock: systemClock,
    history,
    screens,
    randomId: (bytes: number) => 'ab'.repeat(bytes),
  };
  const meta = { version: 1 as const, id: folder.id, shell: 'bash', argv: ['/bin/bash'], cwd: '/', cols: 80, rows: 24 };
  const record = new TerminalRecord(folder, { meta: { ...meta, createdMs: 1000, title: '' }, rawSize: 0 }, deps);
  const book = new BlockStore(deps, record, { nextSeq: 1, earlier });
  stop = async () => {
    await book.close();
    await record.close();
  };
  record.append(Buffer.from(OUTPUT));
  const take = (input: BlockInput) => book.take(input as Parameters<typeof book.take>[0], NOW);
  take(begin(0, null, { end: 0, ignoresSpace }));
  const id = book.runningId ?? '';
  take(out(0, OUTPUT));
  take(end(OUTPUT.length, 0, { end: OUTPUT.length }));
  await book.texts.settled();
  return { folder, book, history, id };
}

test('a command that becomes known after its end changes nothing else of its card', async () => {
  const { folder, book, history, id } = await ended();
  await book.setBookmarked(id, true);
  const before = await book.get(id);
  expect(before).toMatchObject({ cmd: null, outputLines: 2, bookmarked: true });
  book.textRead(id, 'cat <<X\none\ntwo\nX', NOW);
  const known = { ...before, cmd: 'cat <<X\none\ntwo\nX', textSource: 'screen' };
  expect(await book.get(id)).toEqual(known);
  expect((await book.reader.lines(id, 0, 9)).lines.map(({ n }) => n)).toEqual([0, 1]);
  expect(history.list('', 9).map(({ cmd }) => cmd)).toEqual([known.cmd]);
  await stop();
  expect((await readBlocks(folder, { limit: 9 })).blocks).toEqual([known]);
});

test('one that might have been kept out of the record has its text once it is known to be kept', async () => {
  const { folder, book, id } = await ended({ ignoresSpace: true });
  expect(existsSync(folder.out(id))).toBe(false);
  book.textRead(id, 'for i in one two; do\necho $i\ndone', NOW);
  await book.texts.settled();
  expect(readFileSync(folder.out(id), 'utf8')).toBe('one\ntwo\n');
  expect(await book.get(id)).toMatchObject({ ephemeral: false, outputLines: 2 });
});

test('one that begins with a space stays out of the record and of the history', async () => {
  const { folder, book, history, id } = await ended({ ignoresSpace: true });
  book.textRead(id, ' secret', NOW);
  await book.texts.settled();
  expect([existsSync(folder.out(id)), history.list('', 9)]).toEqual([false, []]);
  expect(await book.get(id)).toMatchObject({ ephemeral: true, outputLines: 2 });
});

test('one that an earlier core kept is kept when the next core reads its beginning again', async () => {
  const { folder, book, id } = await ended({
    ignoresSpace: true,
    earlier: [begun(1, { cmd: 'for i in 1; do\nx\ndone', textSource: 'screen' })],
  });
  await book.texts.settled();
  expect(await book.get(id)).toMatchObject({ status: 'completed', ephemeral: false, outputLines: 2 });
  expect(readFileSync(folder.out(id), 'utf8')).toBe('one\ntwo\n');
  await stop();
  expect((await readBlocks(folder, { limit: 9 })).blocks).toMatchObject([{ status: 'completed' }]);
});

test('one that an earlier core may have kept out stays out where its text cannot be read any more', async () => {
  const { folder, book, id } = await ended({ ignoresSpace: true, earlier: [] });
  book.textRead(id, null, NOW);
  await book.texts.settled();
  expect(await book.get(id)).toMatchObject({ ephemeral: true });
  expect(existsSync(folder.out(id))).toBe(false);
  await stop();
  expect((await readBlocks(folder, { limit: 9 })).blocks).toEqual([]);
});
