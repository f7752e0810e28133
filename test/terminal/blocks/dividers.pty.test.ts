import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScreenHost } from '../../../src-main/screen/worker/ScreenHost.ts';
import { SessionFolder } from '../../../src-main/store/record/SessionFolder.ts';
import { BlockStore } from '../../../src-main/terminal/blocks/BlockStore.ts';
import { CommandHistory } from '../../../src-main/terminal/blocks/CommandHistory.ts';
import { Dividers } from '../../../src-main/terminal/blocks/Dividers.ts';
import { readDividers } from '../../../src-main/terminal/blocks/readDividers.ts';
import { TerminalRecord } from '../../../src-main/terminal/TerminalRecord.ts';
import { silentLog } from '../../../src-main/util/Log.ts';
import { aBlock } from '../../renderer/cards/aBlock.ts';
import { FakeClock } from '../../store/FakeClock.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';

const data = suiteFolder('dividers');

let folders = 0;

function newBook(continued?: string): { book: BlockStore; record: TerminalRecord } {
  folders += 1;
  const id = continued ?? `t${folders}`;
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
    id,
    shell: 'bash',
    argv: ['bash'],
    cwd: '/',
    ...size,
    createdMs: 1,
    title: '',
  };
  const record = new TerminalRecord(new SessionFolder(data, id), { meta, rawSize: 0 }, deps);
  return { book: new BlockStore(deps, record, { nextSeq: 1 }), record };
}

const mark = { at: 0, end: 0, trusted: true, by: 'hook' } as const;

test.each([
  ['and prints nothing more stands before the divider', '\x1b[3J', 4],
  ['and prints more stands after it', 'shown', 3],
] as const)('a command that clears the screen %s', async (_, more, afterSeq) => {
  const fired: number[] = [];
  const dividers = new Dividers(newBook().record, (divider) => fired.push(divider.afterSeq));
  const block = aBlock({ seq: 4 });
  dividers.cleared(block, 4, 1);
  dividers.printed(Buffer.from(more));
  dividers.closed(block);
  expect(await dividers.all()).toEqual([{ kind: 'cleared', afterSeq, atMs: 1, text: '' }]);
  expect(fired).toEqual([...new Set([3, afterSeq])]);
});

test('Ctrl+L at the prompt divides what was from what comes', async () => {
  const dividers = new Dividers(newBook().record, () => undefined);
  dividers.cleared(null, 4, 1);
  dividers.closed(aBlock({ seq: 5 }));
  expect(await dividers.all()).toEqual([{ kind: 'cleared', afterSeq: 4, atMs: 1, text: '' }]);
});

test('a program that clears its screen at each frame leaves one divider, the latest, before its card', async () => {
  const { book, record } = newBook();
  for (let frame = 1; frame <= 2_000; frame += 1) {
    if (frame === 1_001)
      book.take({ type: 'begin', ...mark, cmd: 'top', cwd: '/', ignoresSpace: false }, { atMs: frame, monoMs: frame });
    book.take({ type: 'screenCleared', at: 0, end: 0, by: 'ED2' }, { atMs: frame, monoMs: frame });
  }
  expect((await book.dividers.all()).map(({ afterSeq, atMs }) => [afterSeq, atMs])).toEqual([[0, 2_000]]);
  await book.close();
  await record.close();
  expect(readFileSync(record.folder.events, 'utf8').match(/"divider"/g)).toHaveLength(1);
});

test('of a long record the newest dividers are read, in the order of writing', async () => {
  const { book, record } = newBook();
  for (let seq = 1; seq <= 10; seq += 1) {
    record.write({ type: 'resize', at: seq, cols: 80, rows: 24, atMs: seq });
    book.dividers.put({ kind: 'gap', afterSeq: seq, atMs: seq, text: `after ${seq}` });
  }
  await book.close();
  await record.close();
  const newest = await readDividers(record.folder, 3);
  expect(newest.map(({ afterSeq }) => afterSeq)).toEqual([8, 9, 10]);
  expect(await readDividers(record.folder, 20)).toHaveLength(10);
});

/** Kinds of dividers at one place have no order. */
const shown = async ({ dividers }: BlockStore) =>
  (await dividers.all()).map(({ kind, afterSeq, text }) => `${afterSeq} ${kind} ${text}`).sort();

type Step = 'Ctrl+L' | 'clears' | 'prints' | 'ends' | 'restored' | 'gap' | 'is shown';
const step = fc.constantFrom<Step>('Ctrl+L', 'clears', 'prints', 'ends', 'restored', 'gap', 'is shown');

test('the next core has the dividers that this one had', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { book, record } = newBook();
      const { dividers } = book;
      let seq = 1;
      for (const [at, what] of steps.entries()) {
        const open = aBlock({ seq });
        const put = { afterSeq: seq - 1, atMs: at, text: `step ${at}` };
        if (what === 'Ctrl+L') dividers.cleared(null, seq - 1, at);
        else if (what === 'clears') dividers.cleared(open, seq - 1, at);
        else if (what === 'prints') dividers.printed(Buffer.from('shown'));
        else if (what === 'is shown') await dividers.all();
        else if (what !== 'ends') dividers.put({ kind: what, ...put });
        else {
          dividers.closed(open);
          seq += 1;
        }
      }
      const before = await shown(book);
      await book.close();
      await record.close();
      const next = newBook(record.meta.id);
      expect(await shown(next.book)).toEqual(before);
      await next.book.close();
      await next.record.close();
    }),
    fuzzRuns(100),
  );
});
