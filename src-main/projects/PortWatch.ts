import type { TerminalView } from '../contract/terminal.ts';
import type { Clock } from '../util/Clock.ts';
import type { IDisposable } from '../util/Disposables.ts';
import { detach } from '../util/strayErrors.ts';

/** A server needs about as long to listen. */
const FIRST_MS = 1_500;
const SLOWEST_MS = 30_000;
/** What has ended closes its sockets at once. */
const AFTER_END_MS = 300;

interface Watched {
  runningBlockId: string | null;
  ports: number[];
  nextMs: number;
  timer: IDisposable | null;
}

export interface PortWatchSpec {
  readonly clock: Clock;
  /** Null when nothing runs in that terminal. */
  readonly pid: (terminalId: string) => number | null;
  readonly read: (pid: number) => Promise<number[]>;
  readonly onChange: () => void;
}

/** Looks at a terminal's listening ports while a command runs or something listens: soon after a change, then ever more seldom. */
export class PortWatch implements IDisposable {
  readonly #spec: PortWatchSpec;
  readonly #watched = new Map<string, Watched>();

  constructor(spec: PortWatchSpec) {
    this.#spec = spec;
  }

  get ports(): Record<string, number[]> {
    const found = [...this.#watched].filter(([, { ports }]) => ports.length > 0);
    return Object.fromEntries(found.map(([id, { ports }]) => [id, ports]));
  }

  see({ id, runningBlockId }: Pick<TerminalView, 'id' | 'runningBlockId'>): void {
    const known = this.#watched.get(id);
    if (known?.runningBlockId === runningBlockId) return;
    const watched = known ?? { runningBlockId, ports: [], nextMs: FIRST_MS, timer: null };
    watched.runningBlockId = runningBlockId;
    this.#watched.set(id, watched);
    watched.nextMs = FIRST_MS;
    this.#look(id, watched, known && runningBlockId === null ? AFTER_END_MS : FIRST_MS);
  }

  forget(id: string): void {
    this.#watched.get(id)?.timer?.dispose();
    this.#watched.delete(id);
  }

  dispose(): void {
    for (const id of [...this.#watched.keys()]) this.forget(id);
  }

  #look(id: string, watched: Watched, afterMs: number): void {
    watched.timer?.dispose();
    watched.timer = this.#spec.clock.after(afterMs, () => detach('PortWatch', this.#read(id, watched)));
  }

  async #read(id: string, watched: Watched): Promise<void> {
    const pid = this.#spec.pid(id);
    const { timer } = watched;
    const ports = pid === null ? [] : await this.#spec.read(pid);
    if (this.#watched.get(id) !== watched) return;
    const hasChanged = ports.join() !== watched.ports.join();
    watched.ports = ports;
    if (hasChanged) this.#spec.onChange();
    if (watched.timer !== timer) return; // a command began or ended meanwhile: the next look is on its way
    if (watched.runningBlockId === null && ports.length === 0) return;
    watched.nextMs = hasChanged ? FIRST_MS : Math.min(SLOWEST_MS, watched.nextMs * 2);
    this.#look(id, watched, watched.nextMs);
  }
}
