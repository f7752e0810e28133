import { join } from 'node:path';
import type { Settings } from '../contract/settings.ts';
import type { SpanRecord, TelemetrySend, TelemetryStatus, TelemetryTest } from '../contract/telemetry.ts';
import type { Notices } from '../notices/Notices.ts';
import type { Clock } from '../util/Clock.ts';
import { follow } from '../util/follow.ts';
import { SerialQueue } from '../util/SerialQueue.ts';
import { detach } from '../util/strayErrors.ts';
import { CollectorLink, type CollectorLinkSpec } from './CollectorLink.ts';
import { ATTRIBUTE, OPERATION } from './genAi.ts';
import { HeaderFile } from './HeaderFile.ts';
import { describeAnswer } from './judgeAnswer.ts';
import { Sender } from './Sender.ts';
import { SentTurns } from './SentTurns.ts';
import { SpanQueue } from './SpanQueue.ts';
import { Tally } from './Tally.ts';
import { TurnCollector, type TurnCollectorSpec } from './TurnCollector.ts';

export interface TelemetrySpec
  extends Pick<TurnCollectorSpec, 'dataFolder' | 'chats' | 'isPrivate'>,
    Pick<CollectorLinkSpec, 'hostName'> {
  readonly files: { readonly version: string };
  readonly clock: Clock;
  readonly notices: Notices;
  readonly settings: { readonly value: Settings; follow(signal?: AbortSignal): AsyncGenerator<Settings> };
  readonly randomId: (bytes: number) => string;
}

/**
 * Sends conversations as OpenTelemetry traces over OTLP/HTTP. It is off by default, and while it is off, it reads, queues and sends nothing. It never
 * writes to the record. docs/guide/telemetry.md lists what is sent.
 */
export class Telemetry {
  readonly #spec: TelemetrySpec;
  readonly #tally: Tally;
  readonly #headers: HeaderFile;
  readonly #sent: SentTurns;
  readonly #queue: SpanQueue;
  readonly #link: CollectorLink;
  readonly #sender: Sender;
  readonly #turns: TurnCollector;
  readonly #ended = new AbortController();
  readonly #changes = new SerialQueue();
  #applied = '';

  private constructor(
    spec: TelemetrySpec,
    parts: { tally: Tally; headers: HeaderFile; sent: SentTurns; queue: SpanQueue },
  ) {
    this.#spec = spec;
    this.#tally = parts.tally;
    this.#headers = parts.headers;
    this.#sent = parts.sent;
    this.#queue = parts.queue;
    this.#link = new CollectorLink({
      settings: () => spec.settings.value,
      headers: parts.headers,
      instanceId: parts.sent.instanceId,
      version: spec.files.version,
      hostName: spec.hostName,
    });
    this.#sender = new Sender({
      clock: spec.clock,
      queue: parts.queue,
      post: (spans, signal) => this.#link.post(spans, signal),
      events: parts.tally,
      random: Math.random,
    });
    this.#turns = new TurnCollector({
      ...spec,
      sent: parts.sent,
      queue: parts.queue,
      hasContent: () => spec.settings.value['telemetry.content'],
      queued: () => {
        this.#sender.poke();
        this.#tally.touch();
      },
      fault: (reason) => this.#tally.fault(reason),
    });
  }

  /** Reads the files in `telemetry` of the data folder. Creates no file there until telemetry is turned on. */
  static async open(spec: TelemetrySpec): Promise<Telemetry> {
    const folder = join(spec.dataFolder, 'telemetry');
    const tally = new Tally(spec);
    const { file: headers, note } = await HeaderFile.open(folder);
    const { sent, note: other } = await SentTurns.open(folder, spec.randomId(16));
    const queue = await SpanQueue.open({
      folder: join(folder, 'queue'),
      isPrivate: spec.isPrivate,
      limitBytes: () => spec.settings.value['telemetry.queueBytes'],
      onDropped: (count, why) => tally.dropped(count, why),
    });
    for (const text of [note, other]) if (text) tally.note(text);
    return new Telemetry(spec, { tally, headers, sent, queue });
  }

  /** Follows the settings from now on. */
  start(): void {
    detach('Telemetry', this.#follow());
  }

  /** Reports that the record has something new of the terminal's conversations. */
  poke(terminalId: string): void {
    this.#turns.poke(terminalId);
  }

  get status(): TelemetryStatus {
    const { settings } = this.#spec;
    const { endpoint } = this.#link;
    return {
      isOn: settings.value['telemetry.enabled'],
      hasContent: settings.value['telemetry.content'],
      url: 'url' in endpoint ? endpoint.url : null,
      fault: 'fault' in endpoint ? endpoint.fault : null,
      headers: this.#headers.names,
      sinceMs: this.#sent.sinceMs,
      queue: {
        turns: this.#queue.turns,
        bytes: this.#queue.bytes,
        limitBytes: settings.value['telemetry.queueBytes'],
      },
      ...this.#tally.counts,
      isPaused: this.#sender.isPaused,
      nextTryMs: this.#sender.nextTryMs,
    };
  }

  follow(signal?: AbortSignal): AsyncGenerator<TelemetryStatus> {
    const on = (listen: (status: TelemetryStatus) => void) => this.#tally.onChange(() => listen(this.status));
    return follow(on, () => [this.status], signal, this.#ended.signal);
  }

  /** Sends one span, also while telemetry is off. A success ends a pause. */
  async test(): Promise<TelemetryTest> {
    const { clock } = this.#spec;
    const startMs = clock.monotonicMs();
    const answer = await this.#link.post([this.#testSpan()], this.#ended.signal);
    const durationMs = Math.round(clock.monotonicMs() - startMs);
    if (answer.kind !== 'http')
      return { ok: false, answer: answer.kind === 'failed' ? answer.reason : 'Hansard ended', durationMs };
    const isRefused = answer.status < 200 || answer.status >= 300;
    const rejected = answer.partial?.rejected ?? 0;
    const ok = !isRefused && rejected === 0;
    if (ok) {
      this.#tally.succeeded();
      this.#sender.resume();
    }
    const words = isRefused ? describeAnswer(answer) : `${answer.status}`;
    const partial = answer.partial ? ` (rejected ${rejected} of 1 spans: ${answer.partial.message})` : '';
    return { ok, answer: `${words}${partial}`, durationMs };
  }

  /** Queues turns that ended since `sinceMs`. Rejects with a text for people if telemetry is off or has no endpoint. */
  async send(sinceMs: number): Promise<TelemetrySend> {
    if (!this.#spec.settings.value['telemetry.enabled'])
      throw new RangeError('Telemetry is off. Turn it on in the settings first.');
    const { endpoint } = this.#link;
    if ('fault' in endpoint) throw new RangeError(endpoint.fault);
    await this.#changes.idle(); // telemetry may just have been turned on
    return this.#turns.sendPast(sinceMs);
  }

  /** Deletes the waiting turns. */
  async clear(): Promise<number> {
    const { turns } = this.#queue;
    await this.#queue.clear();
    this.#tally.touch();
    return turns;
  }

  /** Sets a header. Resolves to null, or to the reason why it was not set. */
  async setHeader(name: string, value: string): Promise<string | null> {
    const fault = await this.#headers.set(name, value);
    if (!fault) this.#retry();
    return fault;
  }

  async removeHeader(name: string): Promise<boolean> {
    const wasThere = await this.#headers.remove(name);
    if (wasThere) this.#retry();
    return wasThere;
  }

  /** Cancels the request in progress. Waiting turns are sent after the next start. */
  async stop(): Promise<void> {
    this.#ended.abort();
    this.#sender.dispose();
    this.#turns.dispose();
    await this.#changes.idle();
    await this.#turns.idle();
    this.#tally.dispose();
  }

  async #follow(): Promise<void> {
    for await (const settings of this.#spec.settings.follow(this.#ended.signal)) {
      const own = Object.entries(settings).filter(([key]) => key.startsWith('telemetry.'));
      const wanted = JSON.stringify(own);
      if (wanted === this.#applied) continue;
      this.#applied = wanted;
      if (!settings['telemetry.enabled']) this.#sender.stop(); // at once, before other changes in the line
      await this.#changes.run(() => this.#apply(settings['telemetry.enabled']));
    }
  }

  async #apply(isOn: boolean): Promise<void> {
    const { clock } = this.#spec;
    this.#tally.reset();
    if (this.#ended.signal.aborted) return;
    try {
      if (!isOn) this.#turns.stop();
      await this.#sent.setSince(isOn ? clock.nowMs() : null);
      await this.#queue.trim();
    } catch (error) {
      this.#tally.fault(error instanceof Error ? error.message : String(error));
    }
    if (isOn) {
      this.#turns.start();
      if ('url' in this.#link.endpoint) this.#sender.start();
      else this.#sender.stop();
      this.#sender.resume();
    }
    this.#tally.touch();
  }

  #retry(): void {
    this.#tally.reset();
    this.#sender.resume();
    this.#tally.touch();
  }

  #testSpan(): SpanRecord {
    const { clock, randomId } = this.#spec;
    const atMs = clock.nowMs();
    return {
      ...{ traceId: randomId(16), spanId: randomId(8), name: `${OPERATION.turn} Hansard test` },
      ...{ startMs: atMs, endMs: atMs, error: null },
      attributes: {
        [ATTRIBUTE.operation]: OPERATION.turn,
        [ATTRIBUTE.provider]: 'hansard',
        [ATTRIBUTE.agent]: 'Hansard test',
      },
    };
  }
}
