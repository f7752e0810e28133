import { SvelteMap } from 'svelte/reactivity';
import type { Notice } from '../../src-main/contract/notice.ts';
import { machineOf } from '../../src-main/shared/machineIds.ts';
import { isOfTheLine } from '../rpc/codeOf.ts';
import type { Rpc, Stop } from '../rpc/Rpc.ts';
import { copyText } from '../ui/browser/copyText.ts';
import { strings } from './strings.ts';

/** Duration of a short message: long enough to read eight words. */
const REMARK_MS = 2600;
/** Duration of the message of a failure, which may name its cause. */
export const FAILURE_MS = 3 * REMARK_MS;
/** Notices of another machine that are shown; more could cover the window. */
const MOST_OF_MACHINE = 3;

/** Messages for the person: lasting notices of the core, and short messages of the window. */
export class Notices {
  readonly #rpc: Rpc;
  readonly #byKey = new SvelteMap<string, Notice>();
  readonly standing = $derived(bounded([...this.#byKey.values()].sort((a, b) => a.atMs - b.atMs)));
  /** For example "Copied 12 lines"; screen readers read it, and it disappears after a moment. */
  remark = $state<{ text: string; isError: boolean } | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(rpc: Rpc) {
    this.#rpc = rpc;
  }

  start(): Stop {
    // The core sends its notices at each connection, and another core has others.
    const stops = [
      this.#rpc.onLink((state) => {
        if (state === 'open') this.#byKey.clear();
      }),
      this.#rpc.system.onNotice((notice) => this.apply(notice)),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(this.#timer);
    };
  }

  apply(notice: Notice): void {
    if (notice.cleared) this.#byKey.delete(notice.key);
    else this.#byKey.set(notice.key, notice);
  }

  /** Shows a text of this window until the person dismisses it, because they may need time to do what it asks. */
  keep(key: string, text: string): void {
    this.apply({ key, level: 'warning', text, action: null, terminalId: null, atMs: Date.now(), cleared: false });
  }

  /** Hides the notice here; the core sends it again if the problem occurs again. */
  dismiss(key: string): void {
    this.#byKey.delete(key);
  }

  say(text: string): void {
    this.#show({ text, isError: false });
  }

  /** For a failed request: the reason in the person's words, followed by the error's message. */
  fail(text: string, error?: unknown): void {
    const why = isOfTheLine(error) ? strings.app.noAnswer : error instanceof Error ? error.message : '';
    this.#show({ text: why === '' ? text : `${text}: ${why}`, isError: true });
  }

  /** Copies a text, also one that is still being read, and reports it; `said` is asked once the text is there. */
  async copy(text: string | Promise<string>, said: string | (() => string)): Promise<void> {
    try {
      await copyText(text);
      this.say(typeof said === 'string' ? said : said());
    } catch (error) {
      this.fail(strings.app.couldNotCopy, error);
    }
  }

  #show(remark: { text: string; isError: boolean }): void {
    clearTimeout(this.#timer);
    this.remark = remark;
    this.#timer = setTimeout(
      () => {
        this.remark = null;
      },
      remark.isError ? FAILURE_MS : REMARK_MS,
    );
  }
}

/** Without the older ones of a machine that has too many. */
function bounded(standing: readonly Notice[]): Notice[] {
  const newest = new Set(
    [...Map.groupBy(standing, ({ key }) => machineOf(key))].flatMap(([machine, all]) =>
      machine === null ? all : all.slice(-MOST_OF_MACHINE),
    ),
  );
  return standing.filter((notice) => newest.has(notice));
}
