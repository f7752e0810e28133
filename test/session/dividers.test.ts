import { expect, test } from 'vitest';
import type { ScreenHost } from '../../src-main/screen/ScreenHost.ts';
import { BlockBook } from '../../src-main/session/BlockBook.ts';
import { CommandHistory } from '../../src-main/session/CommandHistory.ts';
import { TerminalRecord } from '../../src-main/session/TerminalRecord.ts';
import { SessionFolder } from '../../src-main/store/SessionFolder.ts';
import { silentLog } from '../../src-main/util/Log.ts';
import { FakeClock } from '../store/FakeClock.ts';
import { suiteFolder } from '../store/suiteFolder.ts';

const data = suiteFolder('dividers');

function newBook(): { book: BlockBook; record: TerminalRecord } {
  const clock = new FakeClock();
  const deps = {
    log: silentLog,
    clock,
    history: new CommandHistory(),
    screens: {} as ScreenHost, // nothing here is rendered
    randomId: (bytes: number) => 'ab'.repeat(bytes),
  };
  const size = { cols: 80, rows: 24 };
  const meta = {
    version: 1 as const,
    id: 't1',
    shell: 'bash',
    argv: ['bash'],
    cwd: '/',
    ...size,
    createdMs: 1,
    title: '',
  };
  const record = new TerminalRecord(new SessionFolder(data, 't1'), { meta, rawSize: 0 }, deps);
  return { book: new BlockBook(deps, record, { nextSeq: 1 }), record };
}

test('a program that clears its screen at each frame leaves one divider between two cards, the latest', async () => {
  const { book, record } = newBook();
  const mark = { at: 0, end: 0, trusted: true, by: 'hook' } as const;
  for (let frame = 1; frame <= 2_000; frame += 1) {
    if (frame === 1_001)
      book.take({ type: 'begin', ...mark, cmd: 'top', cwd: '/', ignoresSpace: false }, { atMs: frame, monoMs: frame });
    book.take({ type: 'screenCleared', at: 0, end: 0, by: 'ED2' }, { atMs: frame, monoMs: frame });
  }
  expect(book.dividers.map(({ afterSeq, atMs }) => [afterSeq, atMs])).toEqual([
    [0, 1_000],
    [1, 2_000],
  ]);
  await book.close();
  await record.close();
});
