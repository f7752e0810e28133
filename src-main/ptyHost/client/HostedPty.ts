import { join } from 'node:path';
import type { RecordGap } from '../../contract/notice.ts';
import {
  type ForegroundProcess,
  foregroundArgv,
  foregroundProcesses,
  lookAt,
  programsOf,
} from '../../pty/foreground.ts';
import { type KeyTaker, keyTaker } from '../../pty/keyTaker.ts';
import type { PtyExit, PtyProcess, RecordedChunk, RecordedOutput } from '../../pty/PtyProcess.ts';
import { Emitter } from '../../util/Emitter.ts';
import type { ToCore } from '../protocol/messages.ts';
import { FollowedOutput, type Stretch } from './FollowedOutput.ts';
import type { HostLink } from './HostLink.ts';

/** The file may be this far ahead of the core before the program is paused. */
const MAX_AHEAD_BYTES = 2 * 1024 * 1024;
/** A live core renews a pause this often; the host ends one that is not renewed for five seconds. */
const RENEW_PAUSE_MS = 1000;
/** A large paste is sent in pieces, because a frame has a limit. */
const WRITE_BYTES = 1024 * 1024;

export interface HostedSpec {
  readonly id: string;
  readonly folder: string;
  readonly offset: number;
  /** Only for a shell that already runs. */
  readonly pid?: number;
}

type OfTerminal = Extract<ToCore, { id: string }>;

/** A shell in the PTY host, as the core sees it: its output comes from the file that the host writes. */
export class HostedPty implements PtyProcess {
  readonly #link: HostLink;
  readonly #id: string;
  readonly #output: FollowedOutput;
  readonly #chunks = new Emitter<RecordedChunk>();
  readonly #faults = new Emitter<{ file: string; reason: string | null }>();
  readonly #gaps = new Emitter<RecordGap>();
  readonly #bytes = new Emitter<Uint8Array>();
  readonly #exits = new Emitter<PtyExit>();
  #pid: number;
  /** Known end of the host's file. */
  #end: number;
  /** `isApart`: the next output does not belong to the output before catching up. `renewing` renews the pause of the program; null without one. */
  #flow = { isPaused: false, isDraining: false, isApart: false, renewing: null as NodeJS.Timeout | null };
  #exit: PtyExit | null = null;

  readonly onBytes = this.#bytes.on;
  readonly onExit = this.#exits.on;
  readonly recorded: RecordedOutput;

  constructor(link: HostLink, spec: HostedSpec) {
    this.#link = link;
    this.#id = spec.id;
    this.#pid = spec.pid ?? 0;
    this.#end = spec.offset;
    this.#output = new FollowedOutput(join(spec.folder, 'output.raw'));
    this.recorded = {
      onChunk: this.#chunks.on,
      onFault: this.#faults.on,
      onGap: this.#gaps.on,
      keepFrom: (from) => link.send({ type: 'keep', id: this.#id, from }),
      typed: (writer, next) => link.send({ type: 'typed', id: this.#id, writer, next }),
      answer: (text, query) => link.send({ type: 'write', id: this.#id, query }, Buffer.from(text)),
      settled: (to) => link.send({ type: 'settled', id: this.#id, to }),
      leave: () => this.#close(),
    };
  }

  get pid(): number {
    return this.#pid;
  }

  write(data: string | Uint8Array): void {
    if (this.#exit) return;
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    for (let at = 0; at < bytes.length; at += WRITE_BYTES)
      this.#link.send({ type: 'write', id: this.#id }, bytes.subarray(at, at + WRITE_BYTES));
  }

  resize(cols: number, rows: number): void {
    if (!this.#exit) this.#link.send({ type: 'resize', id: this.#id, cols, rows });
  }

  pause(): void {
    this.#flow.isPaused = true;
    this.#regulate();
  }

  resume(): void {
    this.#flow.isPaused = false;
    this.#drainSoon();
    this.#regulate();
  }

  kill(signal: string): void {
    if (!this.#exit) this.#link.send({ type: 'kill', id: this.#id, signal });
  }

  foregroundArgv(): string[] {
    return this.#runs ? foregroundArgv(this.#pid, this.#look()) : [];
  }

  foregroundProcesses(): ForegroundProcess[] | null {
    return this.#runs ? foregroundProcesses(this.#pid, this.#look()) : [];
  }

  keyTaker(): KeyTaker | null {
    return this.#runs ? keyTaker(this.#pid, this.#look()) : null;
  }

  runningPrograms({ copies }: { copies: boolean }): string[] | null {
    return this.#runs ? programsOf(this.#pid, this.#look(), copies) : [];
  }

  dispose(): void {
    this.kill('SIGHUP');
    this.#close();
  }

  /** Adds ranges recorded before this core started. They are emitted in a later turn, when the receiver listens. */
  catchUp(stretches: readonly Stretch[]): void {
    for (const stretch of stretches) this.#add(stretch);
    this.#flow.isApart = true;
    this.#drainSoon();
  }

  /** Handles a message of the host about this terminal. */
  take(message: OfTerminal, bytes: Uint8Array): void {
    switch (message.type) {
      case 'opened':
        this.#pid = message.pid;
        return;
      case 'refused':
        return this.ended({ exitCode: null, signal: null });
      case 'grew':
        this.#grew(message, bytes);
        if (!this.#flow.isDraining && !this.#flow.isPaused) this.#drain();
        return this.#regulate();
      case 'fault':
        return this.#faults.fire(message);
      case 'gap':
        return this.#gaps.fire(message.gap);
      case 'exited':
        return this.ended(message, message.end);
    }
  }

  /** The shell has exited. Remaining bytes of the file are emitted first. */
  ended({ exitCode, signal }: PtyExit, end = this.#end): void {
    if (this.#exit) return;
    this.#exit = { exitCode, signal };
    this.#stopRenewing();
    if (end > this.#end) this.#add({ from: this.#end, end, nonceAt: [], atMs: Date.now() });
    this.#drainSoon();
  }

  /** The host was killed: the file may have bytes that it wrote and could not report. */
  lost(): void {
    this.ended({ exitCode: null, signal: null }, this.#output.fileSize());
  }

  get #runs(): boolean {
    return this.#exit === null && this.#pid !== 0;
  }

  #look() {
    return lookAt({ pid: this.#pid, tty: undefined });
  }

  #grew({ end, nonceAt, atMs }: Extract<OfTerminal, { type: 'grew' }>, bytes: Uint8Array): void {
    const unwritten = bytes.length > 0 && { unwritten: Uint8Array.from(bytes) };
    this.#add({ from: this.#end, end, nonceAt, atMs, isApart: this.#flow.isApart, ...unwritten });
    this.#flow.isApart = false;
  }

  #add(stretch: Stretch): void {
    this.#output.add(stretch);
    this.#end = stretch.end;
  }

  #drainSoon(): void {
    if (this.#flow.isDraining) return;
    this.#flow.isDraining = true;
    setImmediate(() => {
      this.#flow.isDraining = false;
      this.#drain();
      this.#regulate();
    });
  }

  /** Emits one chunk per turn. After the exit, a pause no longer holds the last bytes back. */
  #drain(): void {
    if (this.#flow.isPaused && !this.#exit) return;
    const chunk = this.#output.next();
    if (chunk) this.#chunks.fire(chunk);
    if (this.#output.backlogBytes > 0) return this.#drainSoon();
    if (this.#exit) this.#finish(this.#exit);
  }

  #finish(exit: PtyExit): void {
    this.#link.send({ type: 'forget', id: this.#id });
    this.#exits.fire(exit);
    this.#close();
  }

  #regulate(): void {
    const isAhead = this.#output.backlogBytes > MAX_AHEAD_BYTES;
    if (isAhead === (this.#flow.renewing !== null) || this.#exit) return;
    this.#stopRenewing();
    const say = () => this.#link.send({ type: isAhead ? 'pause' : 'resume', id: this.#id });
    say();
    if (isAhead) this.#flow.renewing = setInterval(say, RENEW_PAUSE_MS).unref();
  }

  #stopRenewing(): void {
    if (this.#flow.renewing) clearInterval(this.#flow.renewing);
    this.#flow.renewing = null;
  }

  #close(): void {
    this.#stopRenewing();
    for (const emitter of [this.#chunks, this.#faults, this.#gaps, this.#bytes, this.#exits]) emitter.dispose();
    this.#output.close();
  }
}
