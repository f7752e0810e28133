import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BRIDGE_CHANNEL, WINDOW_CHANNEL } from '../../src-main/hosts/electron/windows/page.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { openBridge } from './fake/openBridge.ts';

const PRELOAD = join(ROOT, 'out/preload/preload.cjs');
describe('the built preload, run as a sandbox runs it', () => {
  test('is one file that needs electron and nothing else', () => {
    const text = readFileSync(PRELOAD, 'utf8');
    expect([...text.matchAll(/\brequire\(([^)]*)\)|\bimport\s*[({'"]/g)].map(([whole, name]) => name ?? whole)).toEqual(
      ['"electron"'],
    );
    expect(openBridge(PRELOAD).required).toEqual(['electron']);
  });

  test('shows the page two objects with these functions and no others', () => {
    const { exposed } = openBridge(PRELOAD);
    expect(
      exposed.map(({ name, api }) => [name, Object.entries(api).map(([key, value]) => [key, typeof value])]),
    ).toEqual([
      [
        'electronTRPC',
        [
          ['sendMessage', 'function'],
          ['onMessage', 'function'],
        ],
      ],
      [
        'hansardDesktop',
        [
          ['raise', 'function'],
          ['onMessage', 'function'],
          ['tell', 'function'],
          ['newWindow', 'function'],
          ['pathOf', 'function'],
        ],
      ],
    ]);
  });

  test('gives the page nothing back that is of Electron', () => {
    const [shown] = openBridge(PRELOAD).exposed;
    expect([
      shown?.api.sendMessage?.({ method: 'x' } as never),
      shown?.api.onMessage?.((() => undefined) as never),
    ]).toEqual([undefined, undefined]);
  });

  test('sends on one channel only, the one that is listened on', () => {
    const bridge = openBridge(PRELOAD);
    bridge.exposed[0]?.api.sendMessage?.({ method: 'subscription.stop', id: 1 } as never);
    expect(bridge.sent).toEqual([{ channel: BRIDGE_CHANNEL, message: { method: 'subscription.stop', id: 1 } }]);
  });

  test('says what the page wants of its window in one word each, and reads paths by itself', () => {
    const bridge = openBridge(PRELOAD);
    const desktop = bridge.exposed[1]?.api;
    desktop?.raise?.();
    desktop?.newWindow?.();
    expect(bridge.sent).toEqual(['raise', 'new'].map((message) => ({ channel: WINDOW_CHANNEL, message })));
    expect(desktop?.pathOf?.({ path: '/home/a b' } as never)).toBe('/home/a b');
  });

  test('hands over messages without the event they came in', () => {
    const bridge = openBridge(PRELOAD);
    const heard: unknown[][] = [];
    bridge.exposed[0]?.api.onMessage?.(((...args: unknown[]) => heard.push(args)) as never);
    bridge.deliver(BRIDGE_CHANNEL, { id: 1 });
    bridge.deliver('another', { id: 2 });
    expect(heard).toEqual([[{ id: 1 }]]);
  });

  test('speaks on the channel of the installed trpc-electron', () => {
    const hooks = registerHooks({
      resolve: (name, context, next) =>
        name === 'electron' ? { url: 'node:events', shortCircuit: true } : next(name, context),
    });
    const main = createRequire(import.meta.url)('electron-trpc/main') as { ELECTRON_TRPC_CHANNEL: string };
    hooks.deregister();
    expect(main.ELECTRON_TRPC_CHANNEL).toBe(BRIDGE_CHANNEL);
  });
});
