import type { BlockChange } from '../../contract/api.ts';
import type { Block } from '../../contract/block.ts';
import { actorOf } from '../../contract/mcp/mcp.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import type { Clock } from '../../util/Clock.ts';
import { Disposables, type IDisposable } from '../../util/Disposables.ts';
import type { ExecRequest } from './ExecRequest.ts';

const INTERRUPT = '\x03';
/** Time from Return until a shell has reported a command, forked and given it the terminal. */
const STARTED_MS = 400;

interface Spec {
  readonly terminal: PtyInstance;
  readonly clock: Clock;
  /** A sent request changed. */
  changed(): void;
  /** Any command in the terminal began or ended. */
  turned(): void;
}

/** Commands that were sent to one terminal. A block whose id equals a command's belongs to it, however late it begins. */
export class SentRequests implements IDisposable {
  readonly #spec: Spec;
  readonly #byBlock = new Map<string, ExecRequest>();
  readonly #timers = new Map<ExecRequest, IDisposable>();
  readonly #owned = new Disposables();

  constructor(spec: Spec) {
    this.#spec = spec;
    this.#owned.add(spec.terminal.book.onChange((change) => this.#onBlock(change)));
  }

  add(request: ExecRequest): void {
    this.#byBlock.set(request.blockId, request);
  }

  /** The client's command that runs now, or null. */
  get running(): ExecRequest | null {
    const { runningId } = this.#spec.terminal.book;
    return runningId === null ? null : (this.#byBlock.get(runningId) ?? null);
  }

  /** Presses Ctrl-C as the person would. Waits until the shell has started the program, because an earlier Ctrl-C is lost. */
  stop(request: ExecRequest): void {
    const { isStopped, sentMonoMs } = request.state;
    if (isStopped) return;
    request.apply({ type: 'stopped' });
    const sinceMs = this.#spec.clock.monotonicMs() - (sentMonoMs ?? 0);
    this.#after(request, Math.max(0, STARTED_MS - sinceMs), () => {
      if (this.running === request) this.#spec.terminal.type(INTERRUPT, actorOf(request.caller));
    });
  }

  dispose(): void {
    for (const timer of this.#timers.values()) timer.dispose();
    this.#owned.dispose();
  }

  #onBlock(change: BlockChange): void {
    if (change.type === 'output' || change.type === 'divider') return;
    const { block } = change;
    const request = this.#byBlock.get(block.id);
    if (request) {
      if (change.type === 'open') this.#began(request, block);
      else if (change.type === 'close') this.#ended(request, block);
      else request.apply({ type: 'changed', block });
      this.#spec.changed();
    }
    if (change.type !== 'change') this.#spec.turned();
  }

  #began(request: ExecRequest, block: Block): void {
    request.apply({ type: 'began', block });
    const { timeoutMs } = request.input;
    if (timeoutMs !== undefined) this.#after(request, timeoutMs, () => this.stop(request));
  }

  #ended(request: ExecRequest, block: Block): void {
    this.#timers.get(request)?.dispose();
    this.#timers.delete(request);
    this.#byBlock.delete(request.blockId);
    request.apply({ type: 'ended', block });
  }

  #after(request: ExecRequest, ms: number, run: () => void): void {
    this.#timers.get(request)?.dispose();
    this.#timers.set(request, this.#spec.clock.after(ms, run));
  }
}
