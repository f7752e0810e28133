import { setImmediate as turn } from 'node:timers/promises';
import type { StreamItem } from '../../../src-main/contract/terminal.ts';
import type { CoreConnection } from '../../../src-main/hosts/web/connectCore.ts';
import { ScreenModel } from '../../../src-main/screen/emulator/ScreenModel.ts';
import { screenRows } from '../../support/screenState.ts';

const SIZE = { cols: 80, rows: 24, scrollbackLines: 1000 };

/** A terminal as a window shows it: an emulator that draws the stream and acknowledges it. The caller disposes it. */
export class WindowScreen {
  readonly #id: string;
  readonly #api: CoreConnection['api'];
  readonly #stop: () => void;
  #model = new ScreenModel(SIZE);
  #next = 0;
  /** Number of states, number of bytes after them, and number of pieces that did not follow the byte before. */
  readonly counts = { states: 0, bytes: 0, gaps: 0 };
  /** Called with each piece of bytes. */
  onBytes: (bytes: Buffer) => unknown = () => undefined;
  /** When false, the screen neither draws nor acknowledges, like a window that hangs. */
  isLooking = true;
  readonly #waiting: StreamItem[] = [];

  constructor(api: CoreConnection['api'], id: string, size?: { cols: number; rows: number }) {
    this.#id = id;
    this.#api = api;
    const following = api.terminal.stream.subscribe(
      { id, viewerId: 'window', ...(size && { size }) },
      { onData: (item) => this.#take(item), onError: (error) => process.stderr.write(`stream: ${error.message}\n`) },
    );
    this.#stop = () => following.unsubscribe();
  }

  get rows(): string[] {
    return screenRows(this.#model);
  }

  /** Offset after the last byte that it has drawn. */
  get offset(): number {
    return this.#next;
  }

  /** Resumes and draws the items that have arrived meanwhile. */
  async look(): Promise<void> {
    this.isLooking = true;
    for (const item of this.#waiting.splice(0)) this.#draw(item);
    await turn();
  }

  dispose(): void {
    this.#stop();
    this.#model.dispose();
  }

  #take(item: StreamItem): void {
    if (this.isLooking) this.#draw(item);
    else this.#waiting.push(item);
  }

  #draw(item: StreamItem): void {
    if (item.type === 'state') {
      this.counts.states += 1;
      this.#model.dispose();
      this.#model = new ScreenModel({ ...SIZE, cols: item.cols, rows: item.rows });
      this.#model.write(Buffer.from(item.data));
      this.#parsed(item.offset);
    } else if (item.type === 'bytes') {
      const bytes = Buffer.from(item.data, 'base64');
      if (item.offset !== this.#next) this.counts.gaps += 1;
      this.counts.bytes += bytes.length;
      this.#model.write(bytes);
      this.onBytes(bytes);
      this.#parsed(item.offset + bytes.length);
    } else if (item.type === 'resize') this.#model.resize(item);
  }

  #parsed(offset: number): void {
    this.#next = offset;
    this.#api.terminal.ack.mutate({ id: this.#id, viewerId: 'window', offset }).catch(() => undefined); // the next acknowledgement covers this one
  }
}
