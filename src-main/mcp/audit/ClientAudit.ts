import { join } from 'node:path';
import type { AuditChange, AuditPage } from '../../contract/mcp/audit.ts';
import type { Notices } from '../../notices/Notices.ts';
import { type AuditEntry, AuditLog } from '../../store/audit/auditLog.ts';
import type { Clock } from '../../util/Clock.ts';
import type { Event } from '../../util/Emitter.ts';
import { follow } from '../../util/follow.ts';
import type { Log } from '../../util/Log.ts';
import { detach } from '../../util/strayErrors.ts';
import { untrustedText } from '../protocol/untrustedText.ts';
import { AuditAggregator, type CallEnd, type CountedCall } from './AuditAggregator.ts';
import { AuditCountStore } from './AuditCountStore.ts';

export interface ClientAuditDeps {
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Notices;
  /** Whether a terminal with that id is open. */
  isTerminal(id: string): boolean;
}

/** Each look of the person could add one entry per kind. */
const TELL_EVERY_MS = 60_000;
const FAULT_NOTICE = 'audit';
/** Ends of a call that may occur whether or not the terminal exists. */
const BEFORE_LOOKED_UP: ReadonlySet<CallEnd> = new Set([
  'PTY_NOT_FOUND',
  'NOT_ALLOWED_SCOPE',
  'RATE_LIMITED',
  'BAD_INPUT',
]);
/** How many kinds of calls of one account are counted separately (`AuditAggregator`): some tools in some terminals. */
const MAX_DOOR_KINDS = 30;
const MAX_READ_KINDS = 200;

/** What outside clients did, and what they were refused: the audit log with its counts. */
export class ClientAudit {
  readonly #deps: ClientAuditDeps;
  readonly #door: AuditAggregator;
  readonly #reads: AuditAggregator;
  #log: AuditLog | null = null;
  #kept: AuditCountStore | null = null;
  /** When pending counts were last written early. */
  #toldMs = Number.NEGATIVE_INFINITY;

  constructor(deps: ClientAuditDeps) {
    this.#deps = deps;
    const counting = { clock: deps.clock, audit: (entry: AuditEntry) => this.record(entry) };
    this.#door = new AuditAggregator({ ...counting, maxKinds: MAX_DOOR_KINDS, areReads: false });
    this.#reads = new AuditAggregator({ ...counting, maxKinds: MAX_READ_KINDS, areReads: true });
  }

  /** Call before the first client is admitted: the audit log is complete from here on. */
  async open(): Promise<void> {
    const { dataFolder, clock, log } = this.#deps;
    const opened = await AuditLog.open(join(dataFolder, 'audit.jsonl'), {
      clock,
      log,
      clean: (text) => untrustedText(text).text,
      onFault: (reason) => this.#tellFault(reason),
    });
    this.#log = opened.log;
    const waiting = () => [...this.#door.waiting(), ...this.#reads.waiting()];
    this.#kept = await AuditCountStore.open(opened.log, { clock, log, waiting });
    if (opened.torn > 0) log('audit_torn', { bytes: opened.torn });
    if (opened.missing > 0) log('audit_missing', { entries: opened.missing });
  }

  get log(): AuditLog {
    if (!this.#log) throw new Error('the audit is not open');
    return this.#log;
  }

  /** The newest entries for the person, including the counts up to now. */
  page(query: Parameters<AuditLog['page']>[0]): Promise<AuditPage> {
    const nowMs = this.#deps.clock.monotonicMs();
    if (query.before === undefined && nowMs - this.#toldMs >= TELL_EVERY_MS) {
      this.#toldMs = nowMs;
      this.#door.tellNow();
      this.#reads.tellNow();
    }
    return this.log.page(query);
  }

  /** The entries written from now on. */
  follow(signal?: AbortSignal): AsyncGenerator<AuditChange> {
    const { log } = this;
    const written: Event<AuditChange> = (listen) => log.onWritten((line) => listen({ type: 'line', line }));
    return follow(written, () => [{ type: 'from', n: log.lastN }], signal);
  }

  /** Records what a client did, or what was decided about it. */
  record(entry: AuditEntry): void {
    detach('ClientAudit', this.log.write(entry));
  }

  /** Records a call that would have changed something but was refused or invalid. */
  refusedAtDoor(call: CountedCall): void {
    this.#door.take(this.#ofTerminal(call));
    this.#kept?.changed();
  }

  /** Records a finished read, however it ended. */
  hasRead(call: CountedCall): void {
    this.#reads.take(this.#ofTerminal(call));
    this.#kept?.changed();
  }

  async close(): Promise<void> {
    this.#door.dispose();
    this.#reads.dispose();
    await this.#kept?.close();
    await this.#log?.close();
  }

  /** Clients may invent ids. An id of no terminal goes into the description, not into the entry's terminal. */
  #ofTerminal(call: CountedCall): CountedCall {
    const { terminalId, end, what } = call;
    if (terminalId === null || !BEFORE_LOOKED_UP.has(end) || this.#deps.isTerminal(terminalId)) return call;
    return { ...call, terminalId: null, what: `${terminalId}: ${what}` };
  }

  #tellFault(reason: string | null): void {
    const { notices, clock } = this.#deps;
    if (reason === null) return notices.clear(FAULT_NOTICE, clock.nowMs());
    notices.raise({
      key: FAULT_NOTICE,
      level: 'error',
      text: `What outside agents do is not being written to the audit: ${reason}.`,
      action:
        'Make room on the disk or repair the folder: Hansard then writes the waiting entries. Until then, watch what they do.',
      terminalId: null,
      atMs: clock.nowMs(),
    });
  }
}
