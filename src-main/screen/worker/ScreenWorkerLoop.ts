import type { Clock } from '../../util/Clock.ts';
import type { IDisposable } from '../../util/Disposables.ts';
import { BlockRenderer } from '../emulator/BlockRenderer.ts';
import { WakeTimer } from '../waits/WakeTimer.ts';
import type { ToWorker } from './screenProtocol.ts';
import { type WorkerDeps, WorkerScreen } from './WorkerScreen.ts';

/** Time to work before reading messages again. */
const TURN_MS = 8;
/** Quiet time after which states are sent to the main thread. */
const CHECKPOINT_AFTER_MS = 1000;

interface Deps extends WorkerDeps {
  /** Calls `run` after the waiting messages were read. */
  defer(run: () => void): void;
  clock: Clock;
}

/** The worker's loop: owns every terminal's emulator and divides its time among them in turns. */
export class ScreenWorkerLoop implements IDisposable {
  readonly #deps: Deps;
  readonly #screens = new Map<number, WorkerScreen>();
  readonly #renderers = new Map<number, BlockRenderer>();
  #isScheduled = false;
  #quiet: IDisposable | undefined;
  /** Wakes when held work is due. */
  readonly #held: WakeTimer;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#held = new WakeTimer(deps.clock, () => this.#schedule());
  }

  take(message: ToWorker): void {
    switch (message.type) {
      case 'open':
        this.#screens.set(message.slot, new WorkerScreen(message.slot, message.spec, this.#deps));
        return;
      case 'close':
        this.#close(message.slot);
        return;
      case 'renderOpen':
        this.#renderers.set(message.slot, new BlockRenderer(message.spec));
        return;
      case 'renderFeed':
      case 'renderEnd':
        this.#render(message);
        return;
      default:
        this.#queue(message);
        this.#schedule();
    }
  }

  dispose(): void {
    this.#quiet?.dispose();
    this.#held.dispose();
    for (const slot of [...this.#screens.keys(), ...this.#renderers.keys()]) this.#close(slot);
  }

  #queue(
    message: Extract<
      ToWorker,
      { type: 'feed' | 'resize' | 'colors' | 'ask' | 'stopWait' | 'follow' | 'steps' | 'agent' | 'exit' }
    >,
  ): void {
    const screen = this.#screens.get(message.slot);
    if (!screen) throw new Error(`No screen in slot ${message.slot} for "${message.type}"`);
    switch (message.type) {
      case 'feed':
        screen.feed(message);
        return;
      case 'resize':
        screen.resize(message.size);
        return;
      case 'colors':
        screen.setColors(message.colors);
        return;
      case 'ask':
        screen.ask(message.call, message.what);
        return;
      case 'stopWait':
        screen.stopWait(message.call);
        return;
      case 'follow':
        screen.follow(message.isOn);
        return;
      case 'steps':
        screen.followSteps(message.isOn);
        return;
      case 'agent':
        screen.agent(message.state);
        return;
      case 'exit':
        screen.exited(message.exit);
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#deps.defer(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    const { clock } = this.#deps;
    const endMs = clock.monotonicMs() + TURN_MS;
    const screens = [...this.#screens.values()];
    let busy = screens.filter((screen) => screen.hasWork);
    while (busy.length > 0 && clock.monotonicMs() < endMs) {
      for (const screen of busy) screen.step();
      busy = busy.filter((screen) => screen.hasWork);
    }
    for (const screen of screens) {
      screen.acknowledge();
      screen.settle();
    }
    const held = screens.map(({ skimmer }) => skimmer.heldUntilMs).filter(Number.isFinite);
    this.#held.set(Math.min(Number.POSITIVE_INFINITY, ...held), clock.monotonicMs());
    if (busy.length > 0) this.#schedule();
    else this.#checkpointLater();
  }

  #checkpointLater(): void {
    this.#quiet?.dispose();
    this.#quiet = this.#deps.clock.after(CHECKPOINT_AFTER_MS, () => {
      for (const screen of this.#screens.values()) screen.checkpoint();
    });
  }

  #render(message: Extract<ToWorker, { type: 'renderFeed' | 'renderEnd' }>): void {
    const renderer = this.#renderers.get(message.slot);
    const { progress, post } = this.#deps;
    if (!renderer) {
      // the rendering began on the worker before this one
      post({ type: 'failed', call: message.call, reason: 'The screen worker was replaced' });
      return;
    }
    progress.begin(message.slot, 0, 0);
    const lines = message.type === 'renderFeed' ? renderer.feed(message.bytes) : renderer.end();
    progress.end();
    post({ type: 'answer', call: message.call, value: lines });
  }

  #close(slot: number): void {
    this.#screens.get(slot)?.dispose();
    this.#screens.delete(slot);
    this.#renderers.get(slot)?.dispose();
    this.#renderers.delete(slot);
  }
}
