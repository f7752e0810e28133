import xterm from '@xterm/headless';
import type { Terminal } from '@xterm/xterm';
import { afterEach, expect, test } from 'vitest';
import type { StreamItem } from '../../../src-main/contract/terminal.ts';
import { BlockMarkers } from '../../../src-renderer/terminal/BlockMarkers.ts';

const open: { dispose(): void }[] = [];
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.dispose();
});

/** The headless build of the emulator, with the same buffer and markers but without a page. */
function setUp(rows = 5): { places: BlockMarkers; write(text: string): Promise<void>; terminal: Terminal } {
  const terminal = new xterm.Terminal({ cols: 20, rows, scrollback: 10, allowProposedApi: true });
  open.push(terminal);
  const write = (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));
  return {
    places: new BlockMarkers(terminal as unknown as Terminal),
    write,
    terminal: terminal as unknown as Terminal,
  };
}

const state = (change: Partial<Extract<StreamItem, { type: 'state' }>>): Extract<StreamItem, { type: 'state' }> => ({
  type: 'state',
  offset: 0,
  cols: 20,
  rows: 5,
  data: '',
  runningBlockId: null,
  beginLine: null,
  promptLine: null,
  ...change,
});

test("a block's lines are from its begin to its end, whatever is printed after", async () => {
  const { places, write } = setUp();
  await write('$ seq 2\r\n');
  places.begin('a');
  await write('1\r\n2\r\n');
  expect(places.range('a')).toEqual({ first: 1 });
  places.end('a');
  await write('$ ');
  expect(places.range('a')).toEqual({ first: 1, end: 3 });
});

test('an unfinished last line belongs to the block', async () => {
  const { places, write } = setUp();
  places.begin('a');
  await write('no newline');
  places.end('a');
  expect(places.range('a')).toEqual({ first: 0, end: 1 });
});

test('places move with the scrollback, and a start that has left it is the top', async () => {
  const { places, write } = setUp();
  await write('$ yes\r\n');
  places.begin('a');
  for (let line = 0; line < 40; line += 1) await write(`${line}\r\n`);
  expect(places.range('a')).toEqual({ first: 0 });
});

test('a program that draws above its start owns the screen from its top', async () => {
  const { places, write } = setUp();
  await write('one\r\ntwo\r\n$ top\r\n');
  places.begin('a');
  await write('\x1b[2J\x1b[Hnow');
  places.widen();
  expect(places.firstLine).toBe(0);
});

test('a state tells where the running block and the prompt stand', async () => {
  const { places, write } = setUp();
  await write('$ old\r\nout\r\n$ run\r\nx\r\ny');
  places.restore(state({ runningBlockId: 'b', beginLine: 3, promptLine: 2 }));
  expect([places.range('b'), places.promptLine, places.firstLine]).toEqual([{ first: 3 }, 2, 3]);
});

test('a block that the stream never told of has everything that is kept', async () => {
  const { places, write } = setUp();
  await write('a\r\nb\r\n');
  expect([places.adopt('late'), places.adopt('late'), places.range('late')]).toEqual([true, false, { first: 0 }]);
});

test('only the last two blocks keep their place', async () => {
  const { places, write } = setUp();
  for (const id of ['a', 'b', 'c']) {
    places.begin(id);
    await write('x\r\n');
    places.end(id);
  }
  expect(['a', 'b', 'c'].map((id) => places.range(id) !== undefined)).toEqual([false, true, true]);
});

test('a reset forgets everything', async () => {
  const { places } = setUp();
  places.begin('a');
  places.forget();
  expect([places.range('a'), places.firstLine, places.promptLine]).toEqual([undefined, 0, 0]);
});
