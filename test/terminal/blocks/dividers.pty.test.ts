import { expect, test } from 'vitest';
import type { ScreenHost } from '../../../src-main/screen/worker/ScreenHost.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { BlockStore } from '../../../src-main/terminal/blocks/BlockStore.ts';
import { CommandHistory } from '../../../src-main/terminal/blocks/CommandHistory.ts';
import { Dividers } from '../../../src-main/terminal/blocks/Dividers.ts';
import { TerminalRecord } from '../../../src-main/terminal/TerminalRecord.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { aBlock } from '../../renderer/cards/aBlock.ts';
import { FakeClock } from '../../store/FakeClock.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';

const data = suiteFolder('dividers');

function newBook(): { book: BlockStore; record: TerminalRecord } {
  const clock = new FakeClock();
  const deps = {
    log: silentLog,
    clock,
    history: new CommandHistory(),
    screens: {} as ScreenHost, // these tests render nothing
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
  return { book: new BlockStore(deps, record, { nextSeq: 1 }), record };
}

const mark = { at: 0, end: 0, trusted: true, by: 'hook' } as const;

test.each([
  ['and prints nothing more stands before the divider', '\x1b[3J', 4],
  ['and prints more stands after it', 'shown', 3],
] as const)('a command that clears the screen %s', (_, more, afterSeq) => {
  const fired: number[] = [];
  const dividers = new Dividers((divider) => fired.push(divider.afterSeq));
  const block = aBlock({ seq: 4 });
  dividers.cleared(block, 4, 1);
  dividers.printed(Buffer.from(more));
  dividers.closed(block);
  expect(dividers.all).toEqual([{ kind: 'cleared', afterSeq, atMs: 1, text: '' }]);
  expect(fired).toEqual([...new Set([3, afterSeq])]);
});

test('Ctrl+L at the prompt divides what was from what comes', () => {
  const dividers = new Dividers(() => undefined);
  dividers.cleared(null, 4, 1);
  dividers.closed(aBlock({ seq: 5 }));
  expect(dividers.all).toEqual([{ kind: 'cleared', afterSeq: 4, atMs: 1, text: '' }]);
});

test('a program that clears its screen at each frame leaves one divider, the latest, before its card', async () => {
  const { book, record } = newBook();
  for (let frame = 1; frame <= 2_000; frame += 1) {
    if (frame === 1_001)
      book.take({ type: 'begin', ...mark, cmd: 'top', cwd: '/', ignoresSpace: false }, { atMs: frame, monoMs: frame });
    book.take({ type: 'screenCleared', at: 0, end: 0, by: 'ED2' }, { atMs: frame, monoMs: frame });
  }
  expect(book.dividers.map(({ afterSeq, atMs }) => [afterSeq, atMs])).toEqual([[0, 2_000]]);
  await book.close();
  await record.close();
});
