import type { Notice } from '../contract/notice.ts';
import { Emitter } from '../util/Emitter.ts';
import { follow } from '../util/follow.ts';
import { RecordingNotice } from './RecordingNotice.ts';

/** What the person must know now: each key once, newest state wins. */
export class Notices {
  readonly #current = new Map<string, Notice>();
  readonly #changed = new Emitter<Notice>();
  readonly recording = new RecordingNotice(this);

  get current(): Notice[] {
    return [...this.#current.values()];
  }

  raise(notice: Omit<Notice, 'cleared'>): void {
    const raised = { ...notice, cleared: false };
    this.#current.set(notice.key, raised);
    this.#changed.fire(raised);
  }

  clear(key: string, atMs: number): void {
    const notice = this.#current.get(key);
    if (!notice) return;
    this.#current.delete(key);
    this.#changed.fire({ ...notice, atMs, cleared: true });
  }

  follow(signal?: AbortSignal): AsyncGenerator<Notice> {
    return follow(this.#changed.on, () => this.current, signal);
  }
}
