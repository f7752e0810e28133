import { afterEach, describe, expect, test } from 'vitest';
import { ScreenModel } from '../../src-main/screen/emulator/ScreenModel.ts';
import type { ScreenDegraded } from '../../src-main/screen/worker/ScreenHandle.ts';
import { ScreenHost } from '../../src-main/screen/worker/ScreenHost.ts';
import { screenState } from '../support/screenState.ts';

const WORKER = new URL('../../src-main/terminal/screen/screenWorker.ts', import.meta.url);
const SPEC = { cols: 40, rows: 10, scrollbackLines: 100, startOffset: 0 };
const CHUNK_BYTES = 4096;
const encode = (text: string) => new TextEncoder().encode(text);

const hosts: ScreenHost[] = [];

afterEach(() => {
  for (const made of hosts.splice(0)) made.dispose();
});

/** Writes `bytes` like a PTY, one chunk per turn, and returns the state that a new emulator restores from the serialized screen. */
async function flooded(bytes: Uint8Array): Promise<{ state: object; offset: number; faults: ScreenDegraded[] }> {
  const host = new ScreenHost({ workerUrl: WORKER });
  hosts.push(host);
  const screen = host.open('t', SPEC);
  const faults: ScreenDegraded[] = [];
  screen.onDegraded((fault) => faults.push(fault));
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    screen.write(bytes.slice(at, at + CHUNK_BYTES), at);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { data, offset } = await screen.serialize();
  return { state: shownBy(encode(data)), offset, faults };
}

function shownBy(bytes: Uint8Array): object {
  const model = new ScreenModel(SPEC);
  model.write(bytes);
  const state = screenState(model);
  model.dispose();
  return state;
}

/** The expected state: a new emulator's, restored from a screen that has parsed all of `bytes`. */
function wanted(bytes: Uint8Array): object {
  const model = new ScreenModel(SPEC);
  model.write(bytes);
  const state = shownBy(encode(model.serialize()));
  model.dispose();
  return state;
}

describe('a flood of 3 MB in chunks', () => {
  test.each([
    [
      'of cursor addressing, of which nothing can be left out',
      (n: number) => `\x1b[${1 + (n % 9)};${1 + (n % 30)}Hword ${n % 7}`,
    ],
    ['of plain lines', (n: number) => `line ${n}\r\n`],
    ['of lines with a move now and then', (n: number) => (n % 5000 === 0 ? '\x1b[3;3H' : `line ${n}\r\n`)],
  ])('%s, arrives whole at the screen', async (_, make) => {
    let text = '';
    for (let n = 0; text.length < 3_000_000; n++) text += make(n);
    const bytes = encode(text);
    const { state, offset, faults } = await flooded(bytes);
    expect([offset, faults]).toEqual([bytes.length, []]);
    expect(state).toEqual(wanted(bytes));
  });
});
