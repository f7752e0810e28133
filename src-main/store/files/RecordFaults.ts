import { Emitter, type Event, type Listener } from '../../util/Emitter.ts';
import type { RecordFault } from './RecordFile.ts';

/** The write fault and the sync fault of one file of the record. Fires when the reason to show changes. */
export class RecordFaults {
  readonly #changes = new Emitter<RecordFault | null>();
  readonly onChange: Event<RecordFault | null> = this.#changes.on;
  #write: RecordFault | null = null;
  #sync: RecordFault | null = null;

  /** `listener` also gets the fault of the very first attempt to open, which a later `onChange` would miss. */
  constructor(listener?: Listener<RecordFault | null>) {
    if (listener) this.#changes.on(listener);
  }

  /** The current fault, or null. A write fault comes before a sync fault. */
  get current(): RecordFault | null {
    return this.#write ?? this.#sync;
  }

  get write(): RecordFault | null {
    return this.#write;
  }

  setWrite(fault: RecordFault | null): void {
    this.#set(fault, this.#sync);
  }

  setSync(fault: RecordFault | null): void {
    this.#set(this.#write, fault);
  }

  #set(write: RecordFault | null, sync: RecordFault | null): void {
    const before = this.current;
    this.#write = write;
    this.#sync = sync;
    if (before?.reason !== this.current?.reason) this.#changes.fire(this.current);
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
