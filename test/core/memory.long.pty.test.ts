import { queryObjects } from 'node:v8';
import { afterEach, describe, expect, test } from 'vitest';
import { PtyInstance } from '../../src-main/terminal/PtyInstance.ts';
import { type Clock, systemClock } from '../../src-main/util/Clock.ts';
import { ChatWriter } from '../support/chatRecords.ts';
import { begin, runCommand, TestCore, until } from '../support/TestCore.ts';

/** A clock with timers 50 times as fast: an interval of 200 ms takes 4 ms. */
const hastyClock: Clock = { ...systemClock, after: (delayMs, run) => systemClock.after(delayMs / 50, run) };

/** Limit of objects that an operation may leave; less than one, so it keeps none of its own. */
const MOST_OBJECTS_EACH = 0.5;

const cores: TestCore[] = [];

afterEach(async () => {
  for (const core of cores.splice(0)) await core.dispose();
});

async function start(clock: Clock = systemClock): Promise<TestCore> {
  const core = await TestCore.start({ clock });
  cores.push(core);
  return core;
}

/** Average number of objects that an operation leaves once caches are full; 0 except for the engine's own objects. */
async function objectsLeft(times: number, run: (count: number) => Promise<void>): Promise<number> {
  await run(times);
  const before = count(Object); // collects all garbage first
  await run(4 * times);
  return (count(Object) - before) / (4 * times);
}

describe('what a core holds does not grow with what was', () => {
  test('output that goes on and on', async () => {
    const core = await start(hastyClock);
    const terminal = await core.open();
    await begin(
      terminal,
      'while read -r n; do for ((i = 0; i < n; i++)); do echo "line $i"; sleep 0.01; done; echo "took $n"; done',
    );
    let pieces = 0;
    const left = await objectsLeft(60, async (times) => {
      const before = terminal.rawSize;
      terminal.type(`${times}\n`);
      pieces += 1;
      await expect.poll(() => terminal.rawSize, { timeout: 60_000 }).toBeGreaterThan(before + times * 'line 0'.length);
      await terminal.screen.lastStep();
    });
    expect(pieces).toBe(2);
    expect(left).toBeLessThan(MOST_OBJECTS_EACH);
  });

  test('resizes, once the commands that ran meanwhile have ended', async () => {
    const core = await start();
    const terminal = await core.open();
    const left = await objectsLeft(4_500, async (times) => {
      for (let n = 0; n < times; n += 1) terminal.resize({ cols: 80 + (n % 2), rows: 24 });
      await runCommand(terminal, 'true');
      await terminal.book.texts.settled();
    });
    expect(left).toBeLessThan(MOST_OBJECTS_EACH);
  });

  test('viewers that come and go', async () => {
    const core = await start();
    const terminal = await core.open();
    const left = await objectsLeft(100, async (times) => {
      for (let n = 0; n < times; n += 1) {
        const stop = new AbortController();
        const items = terminal.viewers.view({ clientId: `c${n}`, viewerId: 'v' }, { replay: 'state' }, stop.signal);
        await items.next();
        stop.abort();
        await items.return(undefined);
      }
    });
    expect(left).toBeLessThan(MOST_OBJECTS_EACH);
  });

  test('shells that end and are started again', async () => {
    const core = await start();
    const terminal = await core.open();
    const left = await objectsLeft(3, async (times) => {
      for (let n = 0; n < times; n += 1) {
        terminal.type('exit\n');
        await until(terminal, ({ view }) => view.state === 'exited');
        await terminal.restart();
        await until(terminal, ({ view }) => view.atPrompt);
      }
    });
    expect(left).toBeLessThan(150); // its blocks and dividers, which the window shows
  });

  test('what agents said, all of which can be read', async () => {
    const core = await start();
    const terminal = await core.open();
    let firstOrder = 0;
    const left = await objectsLeft(3_000, async (times) => {
      const said = new ChatWriter(terminal.id, 'c1', { firstOrder });
      for (let n = 0; n < times; n += 1) said.say('model', `answer ${n}`);
      firstOrder += times;
      terminal.chat.write(said.lines);
    });
    expect(left).toBeLessThan(MOST_OBJECTS_EACH);
    const { chats } = core.core;
    const all = (await chats.whole(terminal.id, 'c1'))?.lines ?? [];
    expect(all.length).toBe(15_000);
    for (const [beforeOrder, limit] of [
      [undefined, 50],
      [14_000, 50],
      [13_010, 50],
      [100, 50],
      [30, 50],
      [undefined, 14_000],
    ] as const) {
      const before = all.filter(({ order }) => order < (beforeOrder ?? Number.POSITIVE_INFINITY));
      const page = await chats.page({ terminalId: terminal.id, conversationId: 'c1', beforeOrder, limit });
      expect(page.messages).toEqual(before.slice(-limit));
      expect(page.more).toBe(before.length > limit);
    }
  });

  test('terminals that were closed, though a window goes on looking at them', async () => {
    const core = await start();
    const looking: Promise<void>[] = [];
    const held = count(PtyInstance);
    for (let n = 0; n < 3; n += 1) {
      const terminal = await core.open();
      looking.push(
        drain(terminal.viewers.view({ clientId: 'c', viewerId: 'v' }, { replay: 'state' })),
        drain(terminal.book.follow()),
        drain(terminal.chat.follow()),
        drain(core.core.deltaStreams.follow(terminal, `r${n}`, undefined)),
      );
      await core.core.close(terminal.id, true);
    }
    await Promise.all(looking);
    await expect.poll(() => count(PtyInstance), { timeout: 20_000 }).toBe(held);
  });
});

async function drain(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

function count(ofClass: Parameters<typeof queryObjects>[0]): number {
  return Number(queryObjects(ofClass));
}
