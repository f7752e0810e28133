import type { TelemetryStatus } from '../contract/telemetry.ts';
import type { Notices } from '../notices/Notices.ts';
import type { Clock } from '../util/Clock.ts';
import { Emitter } from '../util/Emitter.ts';
import type { SenderEvents } from './Sender.ts';

/** A notice appears after this many failures, because a collector that restarts is away for a minute. */
const FAILURES_TO_REPORT = 8;

type Counts = Pick<TelemetryStatus, 'sentSpans' | 'rejectedSpans' | 'droppedTurns' | 'lastSuccessMs' | 'lastError'>;

const SETTINGS = 'Open Settings, Telemetry.';

/** Counts sent and dropped spans, and raises the notices about them. Each cause has one notice, however often it occurs. */
export class Tally implements SenderEvents {
  readonly #notices: Notices;
  readonly #clock: Clock;
  readonly #changed = new Emitter<void>();
  #counts: Counts = { sentSpans: 0, rejectedSpans: 0, droppedTurns: 0, lastSuccessMs: null, lastError: null };
  #failures = 0;
  #dropped = { full: 0, unreadable: 0, refused: 0 };

  readonly onChange = this.#changed.on;

  constructor({ notices, clock }: { notices: Notices; clock: Clock }) {
    this.#notices = notices;
    this.#clock = clock;
  }

  get counts(): Counts {
    return this.#counts;
  }

  sent(spans: number, partial: { rejected: number; message: string } | null): void {
    const rejected = Math.min(spans, partial?.rejected ?? 0);
    this.succeeded();
    this.#count({
      sentSpans: this.#counts.sentSpans + spans - rejected,
      rejectedSpans: this.#counts.rejectedSpans + rejected,
    });
    if (!partial) return;
    const words = partial.message === '' ? '' : `: ${partial.message}`;
    const text =
      rejected > 0
        ? `The telemetry collector rejected ${this.#counts.rejectedSpans} spans so far${words}`
        : `The telemetry collector accepted all spans with a warning${words}`;
    this.#raise('partial', text, rejected > 0 ? 'They are not sent again. The record still has them.' : null);
  }

  /** Notes a successful request. */
  succeeded(): void {
    this.#failures = 0;
    this.#count({ lastSuccessMs: this.#clock.nowMs() });
    this.#notices.clear('telemetry/failed', this.#clock.nowMs());
    this.#notices.clear('telemetry/paused', this.#clock.nowMs());
  }

  failed(reason: string): void {
    this.#failures += 1;
    const isNews = this.#failures === FAILURES_TO_REPORT || reason !== this.#counts.lastError?.reason;
    this.#error(reason);
    if (this.#failures >= FAILURES_TO_REPORT && isNews)
      this.#raise('failed', `The telemetry collector cannot be reached: ${reason}`, `Turns wait on disk. ${SETTINGS}`);
  }

  refused(turns: number, reason: string): void {
    this.#error(reason);
    this.#drop('refused', turns);
  }

  paused(reason: string): void {
    this.#error(reason);
    this.#raise(
      'paused',
      `Telemetry is paused. The collector answered: ${reason}`,
      `Turns wait on disk and are not lost. Correct the setting, or send a test. ${SETTINGS}`,
    );
  }

  dropped(turns: number, why: 'full' | 'unreadable'): void {
    this.#drop(why, turns);
  }

  /** Notes an error of the disk; null if it works again. */
  fault(reason: string | null): void {
    if (reason === null) return this.#notices.clear('telemetry/disk', this.#clock.nowMs());
    this.#error(reason);
    this.#raise('disk', `Telemetry could not queue a turn: ${reason}`, 'It is tried again. Make room on the disk.');
  }

  /** Clears all notices about the collector, because sending was turned off or the settings changed. */
  reset(): void {
    this.#failures = 0;
    for (const key of ['failed', 'paused', 'partial', 'disk'])
      this.#notices.clear(`telemetry/${key}`, this.#clock.nowMs());
    this.#count({ lastError: null });
  }

  note(text: string): void {
    this.#raise('note', text, null);
  }

  touch(): void {
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #drop(why: 'full' | 'unreadable' | 'refused', turns: number): void {
    this.#dropped = { ...this.#dropped, [why]: this.#dropped[why] + turns };
    this.#count({ droppedTurns: this.#counts.droppedTurns + turns });
    const { full, unreadable, refused } = this.#dropped;
    const parts = [
      full > 0 ? `${full} because the queue was full` : '',
      refused > 0 ? `${refused} because the collector refused them (${this.#counts.lastError?.reason ?? ''})` : '',
      unreadable > 0 ? `${unreadable} because their files could not be read` : '',
    ].filter((part) => part !== '');
    this.#raise(
      'dropped',
      `Telemetry dropped turns: ${parts.join(', ')}.`,
      'The record still has them. `hansard telemetry send --since DATE` sends them again.',
    );
  }

  #error(reason: string): void {
    this.#count({ lastError: { atMs: this.#clock.nowMs(), reason } });
  }

  #count(change: Partial<Counts>): void {
    this.#counts = { ...this.#counts, ...change };
    this.#changed.fire();
  }

  #raise(key: string, text: string, action: string | null): void {
    const atMs = this.#clock.nowMs();
    this.#notices.raise({ key: `telemetry/${key}`, level: 'warning', text, action, terminalId: null, atMs });
  }
}
