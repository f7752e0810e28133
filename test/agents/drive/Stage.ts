import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { Seat } from './Seat.ts';
import { Truth } from './Truth.ts';

const CLIENT = 'rig';

/** A person's terminal and its true conversations. */
export class Stage {
  readonly truth = new Truth();
  readonly seat: Seat;
  readonly terminal: PtyInstance;
  #viewer: AbortController | null = null;

  constructor(terminal: PtyInstance) {
    this.terminal = terminal;
    this.seat = new Seat(terminal);
    this.attach();
  }

  resize(size: { readonly cols: number; readonly rows: number }): void {
    this.terminal.viewers.want(CLIENT, size, true);
  }

  /** Attaches a viewer as a window does, which acknowledges its bytes. */
  attach(): void {
    if (this.#viewer) return;
    const { viewers, view } = this.terminal;
    const stopped = new AbortController();
    this.#viewer = stopped;
    const id = { clientId: CLIENT, viewerId: `v${Date.now()}` };
    const size = { cols: view.cols, rows: view.rows };
    const look = async (): Promise<void> => {
      for await (const item of viewers.view(id, { replay: 'state', size }, stopped.signal)) {
        if (item.type === 'bytes') viewers.ack(id, item.offset + Buffer.byteLength(item.data, 'base64'));
      }
    };
    look().catch((error: unknown) => {
      if (!stopped.signal.aborted) throw error;
    });
  }

  detach(): void {
    this.#viewer?.abort();
    this.#viewer = null;
  }
}
