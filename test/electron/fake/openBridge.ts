import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import vm from 'node:vm';
import type { FakeContents, FakeFrame } from './FakeContents.ts';

export interface Exposed {
  name: string;
  api: Record<string, (...args: never[]) => unknown>;
}

/** The names that a preload required and exposed to the page. */
export interface Bridge {
  exposed: Exposed[];
  required: string[];
  /** Sends a message to the page's side, as the main process does. */
  deliver(channel: string, message: unknown): void;
  sent: { channel: string; message: unknown }[];
}

/**
 * Runs a built preload as a sandbox does: one CommonJS file with a `require` that only knows `electron`. Clones messages, as between
 * processes.
 */
export function openBridge(
  preload: string,
  onSend: (channel: string, message: unknown) => void = () => undefined,
): Bridge {
  const ipcRenderer = new EventEmitter();
  const bridge: Bridge = {
    exposed: [],
    required: [],
    sent: [],
    deliver: (channel, message) => ipcRenderer.emit(channel, { sender: ipcRenderer }, structuredClone(message)),
  };
  const electron = {
    contextBridge: { exposeInMainWorld: (name: string, api: Exposed['api']) => bridge.exposed.push({ name, api }) },
    webUtils: { getPathForFile: (file: { path?: string }) => file.path ?? '' },
    ipcRenderer: Object.assign(ipcRenderer, {
      send: (channel: string, message: unknown) => {
        const copy = structuredClone(message);
        bridge.sent.push({ channel, message: copy });
        onSend(channel, copy);
      },
    }),
  };
  const require = (name: string): unknown => {
    bridge.required.push(name);
    if (name !== 'electron') throw new Error(`a sandboxed preload cannot require "${name}"`);
    return electron;
  };
  vm.runInNewContext(
    readFileSync(preload, 'utf8'),
    { require, exports: {}, module: { exports: {} } },
    { filename: preload },
  );
  return bridge;
}

/** The event of a message from `frame` in `contents`; answers go to `reply`. */
export function eventFrom(
  contents: FakeContents,
  frame: FakeFrame | null,
  reply: (channel: string, message: unknown) => void,
): unknown {
  return { sender: contents, senderFrame: frame, reply };
}
