import type { TerminalEvent } from '../contract/event.ts';
import type { OscString } from './ControlSequence.ts';
import { decodeLenient } from './decodeFields.ts';
import { type ForeignMark, parseOsc133, parseOsc633 } from './foreignMarks.ts';
import {
  cwdSignal,
  fileUrlHost,
  type NotificationDraft,
  parseOsc99,
  parseSideSignal,
  type SideSignal,
} from './sideSignals.ts';
import { Throttle } from './Throttle.ts';

const TITLES_PER_S = 10;
const NOTIFICATIONS_PER_MIN = 10;
/** Statuses of an agent beyond this limit are dropped. */
const STATUSES_PER_S = 20;

/** `hasHook`: the shell's own hook reports, so foreign marks are only hints about the prompt. */
interface Context {
  nowMs: number;
  hasHook: boolean;
}

/** Turns every OSC except our markers into events. Keeps a claimed command, half a notification, and a delayed title. */
export class OscSignals {
  readonly #hostNames: ReadonlySet<string>;
  readonly #titles = new Throttle(TITLES_PER_S, 1000);
  readonly #statuses = new Throttle(STATUSES_PER_S, 1000);
  readonly #notifications = new Throttle(NOTIFICATIONS_PER_MIN, 60_000);
  #lateTitle: Extract<TerminalEvent, { type: 'title' }> | null = null;
  #draft: NotificationDraft | null = null;
  #claimedCmd: string | null = null;
  #isRemote = false;
  #progress = '';

  constructor(hostName: string) {
    const name = hostName.toLowerCase();
    this.#hostNames = new Set(['', 'localhost', name, name.replace(/\..*/, '')]);
  }

  take(osc: OscString, context: Context): TerminalEvent[] {
    if (osc.isCut) return [];
    const { number, body } = splitNumber(osc.payload);
    if (number === 133 || number === 633) return this.#foreign(number, decodeLenient(body), { ...osc, ...context });
    const signal = number === 99 ? this.#piece(decodeLenient(body)) : parseSideSignal(number, body);
    if (signal === null || (number === 7 && !this.#isOurHost(fileUrlHost(body)))) return [];
    return this.#signal(signal, osc.at, context.nowMs);
  }

  /** The newest title, if the limit had delayed it and allows it now. */
  lateTitle(nowMs: number): TerminalEvent | null {
    const title = this.#lateTitle;
    if (title === null || !this.#titles.pass(nowMs)) return null;
    this.#lateTitle = null;
    return title;
  }

  #piece(body: string): SideSignal | null {
    const { draft, signal } = parseOsc99(body, this.#draft);
    this.#draft = draft;
    return signal;
  }

  #signal(signal: SideSignal, at: number, nowMs: number): TerminalEvent[] {
    switch (signal.type) {
      case 'title':
        return this.#title({ ...signal, at }, nowMs);
      case 'notification':
        return this.#notifications.pass(nowMs) ? [{ ...signal, at }] : [];
      case 'remoteHost':
        this.#isRemote = !this.#isOurHost(signal.host);
        return [];
      case 'cwd':
        return this.#isRemote && signal.by === 'OSC 1337' ? [] : [{ ...signal, at }];
      case 'progress':
        return this.#isNewProgress(`${signal.state} ${signal.percent}`) ? [{ ...signal, at }] : [];
      case 'agentStatus':
        return this.#statuses.pass(nowMs) ? [{ ...signal, at }] : [];
      case 'clipboardWrite':
        return [{ ...signal, at }];
    }
  }

  #title(title: Extract<TerminalEvent, { type: 'title' }>, nowMs: number): TerminalEvent[] {
    const passes = this.#titles.pass(nowMs);
    this.#lateTitle = passes ? null : title;
    return passes ? [title] : [];
  }

  #isNewProgress(progress: string): boolean {
    const isNew = progress !== this.#progress;
    this.#progress = progress;
    return isNew;
  }

  #isOurHost(host: string): boolean {
    return this.#hostNames.has(host.toLowerCase());
  }

  #foreign(number: 133 | 633, body: string, span: { at: number; end: number; hasHook: boolean }): TerminalEvent[] {
    const mark = number === 133 ? parseOsc133(body) : parseOsc633(body);
    return mark === null ? [] : this.#mark(mark, `OSC ${number}`, span);
  }

  #mark(
    mark: ForeignMark,
    by: 'OSC 133' | 'OSC 633',
    { at, end, hasHook }: { at: number; end: number; hasHook: boolean },
  ): TerminalEvent[] {
    switch (mark.type) {
      case 'promptStart':
      case 'promptEnd':
        return [{ type: mark.type, at, end }];
      case 'cwd': {
        const signal = cwdSignal(mark.path, 'OSC 633');
        return signal?.type === 'cwd' ? [{ ...signal, at }] : [];
      }
      case 'cmd':
        this.#claimedCmd = mark.cmd;
        return [];
      case 'begin': {
        const cmd = mark.cmd ?? this.#claimedCmd;
        this.#claimedCmd = null;
        return hasHook ? [] : [{ type: 'begin', at, end, trusted: false, by, cmd, cwd: null, ignoresSpace: false }];
      }
      case 'end':
        return hasHook ? [] : [{ type: 'end', at, end, trusted: false, by, exitCode: mark.exitCode }];
    }
  }
}

const NO_BODY = new Uint8Array(0);

/** `133;A` → 133 and `A`. The number is -1 without one of at most five digits. */
function splitNumber(payload: Uint8Array): { number: number; body: Uint8Array } {
  let number = 0;
  for (let i = 0; i <= 5 && i < payload.length; i++) {
    const byte = payload[i] as number;
    if (byte === 0x3b) return { number: i === 0 ? -1 : number, body: payload.subarray(i + 1) };
    if (byte < 0x30 || byte > 0x39) break;
    number = number * 10 + byte - 0x30;
  }
  return { number: -1, body: NO_BODY };
}
