import { EventEmitter } from 'node:events';
import type { IpcMain, IpcMainEvent, WebContents } from 'electron';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BridgeMessage, guardChannel, isOurPage } from '../../../src-main/hosts/electron/senderCheck.ts';

const mainFrame = { origin: 'app://bundle' };
const contents = { mainFrame, isDestroyed: () => false } as unknown as WebContents;
const sentBy = (senderFrame: unknown, sender: unknown = contents): IpcMainEvent =>
  ({ senderFrame, sender }) as unknown as IpcMainEvent;

describe('the sender of a message', () => {
  test('is trusted when it is the main frame of our window with our page in it', () => {
    expect(isOurPage(sentBy(mainFrame), contents)).toBe(true);
  });

  const swapped = { mainFrame: { origin: 'https://evil.example' }, isDestroyed: () => false } as unknown as WebContents;
  const destroyed = { mainFrame, isDestroyed: () => true } as unknown as WebContents;
  test.each([
    ['another frame of our page', sentBy({ origin: 'app://bundle' }), contents],
    ['a frame that is gone', sentBy(null), contents],
    ['another window', sentBy(mainFrame, { ...contents }), contents],
    ['another origin in our main frame', sentBy(swapped.mainFrame, swapped), swapped],
    ['a window that was destroyed', sentBy(mainFrame, destroyed), destroyed],
    ['no window at all', sentBy(mainFrame), null],
  ])('%s is not', (_, event, window) => {
    expect(isOurPage(event, window)).toBe(false);
  });
});

describe('the guard of a channel', () => {
  function guarded(mayPass: boolean): { ipc: EventEmitter; heard: unknown[] } {
    const ipc = new EventEmitter();
    const heard: unknown[] = [];
    ipc.on('c', (_event, message) => heard.push(message));
    guardChannel(ipc as unknown as IpcMain, 'c', () => mayPass);
    ipc.emit('c', {}, 'hello');
    return { ipc, heard };
  }

  test('lets pass what may pass, once, and nothing else', () => {
    expect([guarded(true).heard, guarded(false).heard]).toEqual([['hello'], []]);
  });

  test('is the only listener left', () => {
    expect(guarded(true).ipc.listenerCount('c')).toBe(1);
  });

  test('refuses to guard what nobody listens on', () => {
    expect(() => guardChannel(new EventEmitter() as unknown as IpcMain, 'c', () => true)).toThrow('Nothing listens');
  });
});

describe('the shape of a message', () => {
  test.each([
    { method: 'request', operation: { id: 1, type: 'query', path: 'system.info', input: undefined, context: {} } },
    { method: 'request', operation: { id: 2, type: 'subscription', path: 'terminal.stream', input: { id: 't' } } },
    { method: 'subscription.stop', id: 2 },
  ])('%j is one', (message) => {
    expect(BridgeMessage.safeParse(message).success).toBe(true);
  });

  test('nothing else is', () => {
    const other = fc.oneof(
      fc.anything(),
      fc.record({ method: fc.string(), operation: fc.anything() }),
      fc.record({
        method: fc.constant('request'),
        operation: fc.record({ id: fc.string(), type: fc.string(), path: fc.string() }),
      }),
    );
    fc.assert(fc.property(other, (message) => !BridgeMessage.safeParse(message).success));
  });
});
