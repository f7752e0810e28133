import { EventEmitter } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserWindow } from 'electron';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WindowMemory } from '../../../../src-main/hosts/electron/windows/WindowMemory.ts';
import { placeWindow, type WindowState } from '../../../../src-main/hosts/electron/windows/windowState.ts';
import { FakeClock } from '../../../store/FakeClock.ts';

const laptop = { x: 0, y: 25, width: 1280, height: 775 };
const beside = { x: 1280, y: 0, width: 2560, height: 1440 };
const saved = (bounds: WindowState['bounds'], rest: Partial<WindowState> = {}): WindowState => ({
  version: 1,
  bounds,
  isMaximized: false,
  isFullScreen: false,
  ...rest,
});

describe('where the window goes', () => {
  test.each([
    ['at the first start: centred, no larger than the display', null, [laptop], { width: 1280, height: 775 }],
    ['on a large display: its usual size', null, [beside], { width: 1440, height: 900 }],
    [
      'where it was',
      saved({ x: 1500, y: 100, width: 1000, height: 700 }),
      [laptop, beside],
      { x: 1500, y: 100, width: 1000, height: 700 },
    ],
    [
      'centred when its display is gone',
      saved({ x: 1500, y: 100, width: 1000, height: 700 }),
      [laptop],
      { width: 1000, height: 700 },
    ],
    [
      'centred when its title bar is above the display',
      saved({ x: 100, y: -200, width: 800, height: 700 }),
      [laptop],
      { width: 800, height: 700 },
    ],
    [
      'centred when only a sliver is left to take hold of',
      saved({ x: 1270, y: 100, width: 800, height: 700 }),
      [laptop],
      { width: 800, height: 700 },
    ],
    [
      'smaller when the display has become smaller',
      saved({ x: 10, y: 30, width: 5000, height: 3000 }),
      [laptop],
      { x: 10, y: 30, width: 1280, height: 775 },
    ],
  ])('%s', (_, state, areas, bounds) => {
    expect(placeWindow(state, areas).bounds).toEqual(bounds);
  });

  test('maximised stays maximised on another display; full screen does not', () => {
    const state = saved({ x: 9000, y: 0, width: 800, height: 600 }, { isMaximized: true, isFullScreen: true });
    expect(placeWindow(state, [laptop])).toMatchObject({ isMaximized: true, isFullScreen: false });
  });

  test('a hand can always reach it, and it is never larger than its display', () => {
    const number = fc.integer({ min: -10_000, max: 10_000 });
    const size = fc.integer({ min: 200, max: 8_000 });
    const area = fc.record({ x: number, y: number, width: size, height: size });
    fc.assert(
      fc.property(area, fc.array(area, { minLength: 1, maxLength: 4 }), (bounds, areas) => {
        const place = placeWindow(saved(bounds), areas);
        const { x, y, width, height } = place.bounds;
        const isOn = areas.some(
          (display) =>
            width <= display.width &&
            height <= display.height &&
            (x === undefined ||
              y === undefined ||
              (y >= display.y &&
                y < display.y + display.height &&
                x < display.x + display.width &&
                x + bounds.width > display.x)),
        );
        expect(isOn).toBe(true);
      }),
    );
  });
});

class FakeWindow extends EventEmitter {
  bounds = { x: 1, y: 2, width: 800, height: 600 };
  isGone = false;
  getNormalBounds = () => this.bounds;
  isMaximized = () => true;
  isFullScreen = () => false;
  isDestroyed = () => this.isGone;
}

describe('window.json', () => {
  let dataFolder: string;
  let clock: FakeClock;
  let memory: WindowMemory;
  const logged: string[] = [];
  beforeEach(() => {
    dataFolder = mkdtempSync(join(tmpdir(), 'hansard-window-'));
    clock = new FakeClock();
    memory = new WindowMemory({ dataFolder, clock, log: (event) => void logged.push(event) });
  });
  afterEach(() => rmSync(dataFolder, { recursive: true, force: true }));

  const file = (): string => join(dataFolder, 'window.json');
  const window = (): FakeWindow & BrowserWindow => new FakeWindow() as FakeWindow & BrowserWindow;

  test('is there again after a restart, and private', async () => {
    await memory.save(window());
    expect(await memory.read()).toEqual(saved({ x: 1, y: 2, width: 800, height: 600 }, { isMaximized: true }));
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  test('is written once after a drag, with where it ended', async () => {
    const dragged = window();
    memory.follow(dragged);
    for (let x = 0; x < 100; x++) {
      dragged.bounds = { ...dragged.bounds, x };
      dragged.emit('move');
    }
    expect(readdirSync(dataFolder)).toEqual([]);
    clock.advance(400);
    await expect.poll(() => readdirSync(dataFolder)).toEqual(['window.json']);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toMatchObject({ bounds: { x: 99 } });
  });

  test('is not written for a window that is gone', async () => {
    const gone = window();
    gone.isGone = true;
    await memory.save(gone);
    expect(readdirSync(dataFolder)).toEqual([]);
  });

  test.each([
    '',
    '{',
    '[]',
    '{"version":2}',
    '{"version":1,"bounds":{"x":0,"y":0,"width":-5,"height":1},"isMaximized":false,"isFullScreen":false}',
  ])('that holds %j is kept aside, and the window opens as at the first start', async (text) => {
    writeFileSync(file(), text);
    expect(await memory.read()).toBe(null);
    expect(readdirSync(dataFolder)).toEqual([expect.stringMatching(/^window\.json\.bad-/)]);
  });

  test('that cannot be read costs a line in the log, and the window opens as at the first start', async () => {
    symlinkSync(file(), file());
    expect([await memory.read(), logged.splice(0)]).toEqual([null, ['window_state_not_read']]);
  });

  test('with a folder in its place is as at the first start, and the folder is kept', async () => {
    mkdirSync(file());
    expect(await memory.read()).toBeNull();
    expect(readdirSync(dataFolder)).toEqual([expect.stringMatching(/\.bad-\d+$/)]);
  });

  test('that cannot be written costs a line in the log and nothing else', async () => {
    rmSync(dataFolder, { recursive: true });
    await memory.save(window());
    expect(logged.splice(0)).toEqual(['window_state_not_saved']);
  });
});
