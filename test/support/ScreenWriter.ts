import type { ScreenHandle, ScreenSpec } from '../../src-main/screen/worker/ScreenFeed.ts';
import { ScreenHost, type ScreenHostOptions } from '../../src-main/screen/worker/ScreenHost.ts';

const WORKER = new URL('../../src-main/terminal/screen/screenWorker.ts', import.meta.url);
export const SCREEN_SPEC = { cols: 40, rows: 10, scrollbackLines: 100, startOffset: 0 };

/** A host with the real worker; the caller disposes it. */
export function screenHost(options: Partial<ScreenHostOptions> = {}): ScreenHost {
  return new ScreenHost({ workerUrl: WORKER, ...options });
}

/** Writes to a screen and keeps the stream's bytes and offset, as a terminal does. */
export class ScreenWriter {
  bytes = Buffer.alloc(0);
  readonly screen: ScreenHandle;

  constructor(host: ScreenHost, spec: Partial<ScreenSpec> = {}) {
    this.screen = host.open('t', { ...SCREEN_SPEC, ...spec });
  }

  get end(): number {
    return this.bytes.length;
  }

  print(output: string | Uint8Array): void {
    const bytes = Buffer.from(output);
    this.screen.write(bytes, this.end);
    this.bytes = Buffer.concat([this.bytes, bytes]);
  }
}

/** Waits `count` turns of the event loop, so that messages in transit arrive. */
export async function turns(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve));
}
