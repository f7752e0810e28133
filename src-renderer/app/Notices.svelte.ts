import { SvelteMap } from 'svelte/reactivity';
import type { Notice } from '../../src-main/contract/notice.ts';
import type { Rpc, Stop } from '../rpc/Rpc.ts';

/** How long a passing remark stays: long enough to read eight words. */
const REMARK_MS = 2600;

/** What the person must see: standing notices of the core, and passing remarks of the window. */
export class Notices {
  readonly #rpc: Rpc;
  readonly #byKey = new SvelteMap<string, Notice>();
  readonly standing = $derived([...this.#byKey.values()].sort((a, b) => a.atMs - b.atMs));
  /** "Copied 12 lines"; read out by screen readers, gone after a moment. */
  remark = $state<{ text: string; isError: boolean } | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(rpc: Rpc) {
    this.#rpc = rpc;
  }

  start(): Stop {
    const stop = this.#rpc.system.onNotice((notice) => this.apply(notice));
    return () => {
      stop();
      clearTimeout(this.#timer);
    };
  }

  apply(notice: Notice): void {
    if (notice.cleared) this.#byKey.delete(notice.key);
    else this.#byKey.set(notice.key, notice);
  }

  /** Hides it here; the core says it again when it happens again. */
  dismiss(key: string): void {
    this.#byKey.delete(key);
  }

  say(text: string): void {
    this.#show({ text, isError: false });
  }

  /** For a request that failed: the reason in the person's words, with the error's own behind it. */
  fail(text: string, error?: unknown): void {
    const why = error instanceof Error ? `: ${error.message}` : '';
    this.#show({ text: `${text}${why}`, isError: true });
  }

  #show(remark: { text: string; isError: boolean }): void {
    clearTimeout(this.#timer);
    this.remark = remark;
    this.#timer = setTimeout(
      () => {
        this.remark = null;
      },
      REMARK_MS * (remark.isError ? 3 : 1),
    );
  }
}
