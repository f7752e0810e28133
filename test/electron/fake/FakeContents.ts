import { EventEmitter } from 'node:events';

export interface FakeFrame {
  origin: string;
  routingId: number;
}

let nextId = 1;

/** A page as the main process sees it. */
export class FakeContents extends EventEmitter {
  readonly id = nextId++;
  readonly mainFrame: FakeFrame = { origin: '', routingId: 1 };
  reloads = 0;
  zoomLevel = 0;
  openWindow: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });
  #isGone = false;

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openWindow = handler;
  }
  readonly sent: [channel: string, message: unknown][] = [];
  send(channel: string, message: unknown): void {
    this.sent.push([channel, structuredClone(message)]);
  }
  reload(): void {
    this.reloads += 1;
  }
  getZoomLevel(): number {
    return this.zoomLevel;
  }
  setZoomLevel(level: number): void {
    this.zoomLevel = level;
  }
  isDestroyed(): boolean {
    return this.#isGone;
  }
  destroy(): void {
    this.#isGone = true;
    this.emit('destroyed');
  }
}
