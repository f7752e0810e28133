import type { SizedBy, StreamItem } from '../../contract/terminal.ts';
import { sanitizeReplay } from '../../events/sanitizeReplay.ts';
import { redrawSizes } from '../../pty/redrawSizes.ts';
import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import type { Log } from '../../util/Log.ts';
import type { LiveStream } from './LiveStream.ts';
import { type Size, SizeOwner } from './SizeOwner.ts';

/** Enough recent output for a screen of any size and some scrollback. */
const REPLAY_BYTES = 64 * 1024;
/** Pause between the two sizes of a forced redraw: a program that gets both at once sees only the second, which is no change. */
const REDRAW_PAUSE_MS = 60;

/** Start of a viewer. `raw` and `none` are for viewers that want only bytes, or no start. */
export type Replay = 'state' | 'raw' | 'none';

/** The viewers' view of their terminal. */
export interface ViewedTerminal {
  readonly id: string;
  readonly live: LiveStream;
  readonly clock: Clock;
  readonly log: Log;
  size(): Size;
  isAlt(): boolean;
  /** Resizes the whole terminal: program, screen, record and viewers. */
  resize(size: Size): void;
  /** Resizes only the program. */
  resizePty(size: Size): void;
}

/** All viewers of one terminal, and the owner of its size. A client is one window or one `hansard attach`. */
export class Viewers implements IDisposable {
  readonly #of: ViewedTerminal;
  readonly #owner = new SizeOwner();
  /** Number of streams per client. */
  readonly #streams = new Map<string, number>();
  #redraw: IDisposable | null = null;
  #isClosed = false;

  constructor(of: ViewedTerminal) {
    this.#of = of;
  }

  get count(): number {
    return this.#of.live.viewerCount;
  }

  looks(clientId: string): boolean {
    return this.#streams.has(clientId);
  }

  /**
   * The items of one viewer. `size` is the size it would like; a new viewer takes it, so its first item already fits. A viewer that has shown
   * everything before `from` gets the missing bytes, if they are still kept.
   */
  async *view(
    { clientId, viewerId }: { clientId: string; viewerId: string },
    { replay, size, from }: { replay: Replay; size?: Size | undefined; from?: number | undefined },
    signal?: AbortSignal,
  ): AsyncGenerator<StreamItem> {
    this.#streams.set(clientId, (this.#streams.get(clientId) ?? 0) + 1);
    if (size) this.want(clientId, size, true);
    try {
      const first = replay === 'state' ? undefined : () => this.#replay(replay);
      yield* this.#of.live.view(`${clientId}/${viewerId}`, signal, from ?? first);
    } finally {
      this.#ended(clientId);
    }
  }

  ack({ clientId, viewerId }: { clientId: string; viewerId: string }, offset: number): void {
    this.#of.live.ack(`${clientId}/${viewerId}`, offset);
  }

  /**
   * A client has room for `size`; see `SizeOwner`. A client without a stream here sets the size, and owns nothing. Returns who owns the
   * size now.
   */
  want(clientId: string, size: Size, isTaking: boolean): SizedBy {
    if (!this.#streams.has(clientId)) {
      this.#of.resize(size);
      return 'self';
    }
    this.#apply(this.#owner.want(clientId, size, isTaking));
    const { owner } = this.#owner;
    if (owner === clientId) return 'self';
    return owner?.startsWith(LOAN) ? 'agent' : 'viewer';
  }

  /** A client types: the terminal gets the client's size before the keys. */
  used(clientId: string): void {
    this.#apply(this.#owner.used(clientId));
  }

  /** A client's lease sets the size, like a viewer that uses the terminal. */
  lend(leaseId: string, size: Size): void {
    this.#apply(this.#owner.want(loanOf(leaseId), size, true));
  }

  /** Gives the size back to the viewer that had it before the lease. */
  endLoan(leaseId: string): void {
    this.#apply(this.#owner.left(loanOf(leaseId)));
  }

  altScreen(isOn: boolean): void {
    this.#of.log(isOn ? 'pty_alt_screen_on' : 'pty_alt_screen_off', { terminalId: this.#of.id });
  }

  /** The terminal is closed; viewers that end later change nothing. */
  dispose(): void {
    this.#isClosed = true;
    this.#redraw?.dispose();
  }

  #ended(clientId: string): void {
    const left = (this.#streams.get(clientId) ?? 1) - 1;
    if (left > 0) {
      this.#streams.set(clientId, left);
      return;
    }
    this.#streams.delete(clientId);
    this.#apply(this.#owner.left(clientId));
  }

  #apply(size: Size | null): void {
    if (size && !this.#isClosed) this.#of.resize(size);
  }

  /** No tail of bytes can restore the alternate screen, so the program is made to redraw it. */
  #replay(replay: 'raw' | 'none'): Extract<StreamItem, { type: 'replay' }> {
    const { live } = this.#of;
    const isAlt = this.#of.isAlt();
    const bytes = replay === 'raw' && !isAlt ? this.#tail() : new Uint8Array(0);
    if (isAlt) this.#forceRedraw();
    return { type: 'replay', offset: live.end, ...live.size, data: Buffer.from(bytes).toString('base64') };
  }

  #tail(): Uint8Array {
    const recent = this.#of.live.recent();
    const from = Math.max(0, recent.length - REPLAY_BYTES);
    const { bytes, droppedHead, droppedTail } = sanitizeReplay(recent.subarray(from), recent.subarray(0, from));
    this.#of.log('pty_attach_replay_prefill', {
      terminalId: this.#of.id,
      replay_bytes: bytes.length,
      dropped_head: droppedHead,
      dropped_tail: droppedTail,
    });
    return bytes;
  }

  #forceRedraw(): void {
    const { cols, rows } = this.#of.size();
    const [first, second] = redrawSizes({ cols, rows });
    if (!first) return;
    this.#of.log('pty_attach_jiggle_resize', {
      terminalId: this.#of.id,
      rows,
      cols,
      jiggle_rows: first.rows,
      jiggle_cols: first.cols,
    });
    this.#of.resizePty(first);
    this.#redraw?.dispose();
    // The size at that time, because it may have changed meanwhile.
    if (second) this.#redraw = this.#of.clock.after(REDRAW_PAUSE_MS, () => this.#of.resizePty(this.#of.size()));
  }
}

/** Prefix of leases among the viewers' names; a client's id has no slash. */
const LOAN = 'lease/';

function loanOf(leaseId: string): string {
  return `${LOAN}${leaseId}`;
}
