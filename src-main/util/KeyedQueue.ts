import { SerialQueue } from './SerialQueue.ts';

/** A `SerialQueue` per key. An idle key uses no memory. */
export class KeyedQueue {
  readonly #queues = new Map<string, { queue: SerialQueue; jobs: number }>();

  async run<T>(key: string, job: () => T | Promise<T>): Promise<T> {
    const entry = this.#queues.get(key) ?? { queue: new SerialQueue(), jobs: 0 };
    this.#queues.set(key, entry);
    entry.jobs += 1;
    try {
      return await entry.queue.run(job);
    } finally {
      entry.jobs -= 1;
      if (entry.jobs === 0) this.#queues.delete(key);
    }
  }
}
