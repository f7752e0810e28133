import type { TelemetryStatus } from '../../src-main/contract/telemetry.ts';
import { formatClock } from '../app/clock.svelte.ts';
import { formatBytes, formatDuration } from '../app/formatWords.ts';
import { strings } from '../app/strings.ts';
import type { Stop } from '../rpc/Rpc.ts';
import type { TelemetryRpc } from '../rpc/TelemetryRpc.ts';

const words = strings.telemetry;
const MIB = 1024 * 1024;

export type TelemetryTone = 'quiet' | 'good' | 'bad';

/** The state of telemetry in the settings page. */
export class TelemetryState {
  readonly #rpc: TelemetryRpc;
  /** Undefined until the core sends it. */
  status = $state.raw<TelemetryStatus>();
  isTesting = $state(false);
  /** The result of the last test; '' before a test. */
  answer = $state('');
  isAccepted = $state(false);
  /** Why the last header was refused; '' if it was not. */
  refusal = $state('');
  /** True if the person chose to keep the waiting turns. */
  isKept = $state(false);

  constructor(rpc: TelemetryRpc) {
    this.#rpc = rpc;
  }

  start(): Stop {
    return this.#rpc.onChange((status) => {
      if (status.isOn) this.isKept = false;
      this.status = status;
    });
  }

  /** Number of turns that wait although telemetry is off. The page asks whether to delete them. */
  get left(): number {
    const { status } = this;
    return status && !status.isOn && !this.isKept ? status.queue.turns : 0;
  }

  get state(): { text: string; tone: TelemetryTone } {
    const { status } = this;
    if (!status?.isOn) return { text: words.states.off, tone: 'quiet' };
    if (status.fault !== null) return { text: words.states.fault, tone: 'bad' };
    if (status.isPaused) return { text: words.states.paused, tone: 'bad' };
    if (status.nextTryMs !== null) return { text: words.states.retrying, tone: 'bad' };
    return { text: status.queue.turns > 0 ? words.states.waiting : words.states.on, tone: 'good' };
  }

  /** Name and text of each row. Rows with an empty text are left out. */
  facts(nowMs: number): { name: string; text: string; isMono?: boolean }[] {
    const { status } = this;
    if (!status) return [];
    const { queue, lastError, lastSuccessMs, nextTryMs } = status;
    const size = words.queued(queue.turns, mib(queue.bytes), mib(queue.limitBytes));
    return [
      { name: words.url, text: status.url ?? '', isMono: true },
      { name: words.queue, text: status.isOn || queue.turns > 0 ? size : '' },
      {
        name: words.sent,
        text: status.isOn ? words.sentCounts(status.sentSpans, status.rejectedSpans, status.droppedTurns) : '',
      },
      { name: words.lastSuccess, text: lastSuccessMs === null ? '' : formatClock(lastSuccessMs, nowMs) },
      { name: words.lastError, text: lastError ? words.at(formatClock(lastError.atMs, nowMs), lastError.reason) : '' },
      { name: words.nextTry, text: nextTryMs === null ? '' : formatDuration(nextTryMs - nowMs) },
    ];
  }

  /** Rejects if the core does not answer. */
  async test(): Promise<void> {
    this.isTesting = true;
    this.answer = '';
    try {
      const { ok, answer, durationMs } = await this.#rpc.test();
      this.isAccepted = ok;
      this.answer = ok ? words.accepted(answer, durationMs) : words.notAccepted(answer);
    } finally {
      this.isTesting = false;
    }
  }

  async clear(): Promise<void> {
    await this.#rpc.clear();
  }

  /** Sets a header. Resolves to false if it is refused; `refusal` then says why. */
  async setHeader(name: string, value: string): Promise<boolean> {
    this.refusal = (await this.#rpc.setHeader({ name, value })) ?? '';
    return this.refusal === '';
  }

  async removeHeader(name: string): Promise<void> {
    await this.#rpc.removeHeader({ name });
  }
}

/** Formats the limit as in the setting. */
function mib(bytes: number): string {
  return bytes === 0 || bytes % MIB !== 0 ? formatBytes(bytes) : `${bytes / MIB} MiB`;
}
