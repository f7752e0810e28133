import type { ScreenStep } from '../../src-main/contract/chat/extractor.ts';
import type { ScreenDelta, ScreenSnapshot } from '../../src-main/contract/screen/screenRecord.ts';
import { redactRows } from '../../src-main/redaction/redactRows.ts';
import type { ScreenOptions } from '../../src-main/screen/emulator/ScreenModel.ts';
import { type FromWorker, SharedProgress } from '../../src-main/screen/worker/screenProtocol.ts';
import { StepUnpacker } from '../../src-main/screen/worker/sendSteps.ts';
import { WorkerScreen } from '../../src-main/screen/worker/WorkerScreen.ts';
import type { RecordedScreen } from '../../src-main/terminal/screen/ScreenRecord.ts';
import type { Clock } from '../../src-main/util/Clock.ts';
import { type IDisposable, toDisposable } from '../../src-main/util/Disposables.ts';

/** The worker's screen without its thread; its messages are cloned, as between threads. */
export class WorkerInProcess implements RecordedScreen, IDisposable {
  readonly #screen: WorkerScreen;
  readonly #snapshots = new Map<number, (snapshot: ScreenSnapshot) => void>();
  #listener: (delta: ScreenDelta) => void = () => undefined;
  #stepListener: (step: ScreenStep) => void = () => undefined;
  readonly #unpacker = new StepUnpacker();
  #offset = 0;
  #calls = 0;
  deltas = 0;

  constructor(size: ScreenOptions, of: Clock) {
    const progress = new SharedProgress(new SharedArrayBuffer(SharedProgress.BYTES));
    const spec = { terminalId: 't1', run: 'bench', offset: 0, state: '' };
    this.#screen = new WorkerScreen(
      1,
      { ...size, ...spec },
      {
        post: (message) => this.#hear(structuredClone(message)),
        progress,
        clock: of,
        unguarded: false,
        tellRows: redactRows,
      },
    );
  }

  feed(piece: Uint8Array): void {
    this.#screen.feed({ offset: this.#offset, bytes: piece, marks: [], isReplay: false });
    this.#offset += piece.length;
    this.#turn();
  }

  follow(listener: (delta: ScreenDelta) => void): IDisposable {
    this.#listener = listener;
    this.#screen.follow(true);
    this.#turn();
    return toDisposable(() => this.#screen.follow(false));
  }

  followSteps(listener: (step: ScreenStep) => void): void {
    this.#stepListener = listener;
    this.#screen.followSteps(true);
    this.#turn();
  }

  keyframe(): void {
    this.#screen.follow(true);
    this.#turn();
  }

  snapshot(): Promise<ScreenSnapshot> {
    this.#calls += 1;
    const call = this.#calls;
    const answer = new Promise<ScreenSnapshot>((resolve) => this.#snapshots.set(call, resolve));
    this.#screen.ask(call, 'snapshot');
    this.#turn();
    return answer;
  }

  dispose(): void {
    this.#screen.dispose();
  }

  #turn(): void {
    while (this.#screen.hasWork) this.#screen.step();
    this.#screen.settle();
  }

  #hear(message: FromWorker): void {
    if (message.type === 'delta') {
      this.deltas += 1;
      this.#listener(message.delta);
    }
    if (message.type === 'step') this.#stepListener(this.#unpacker.unpack(message.step));
    if (message.type !== 'answer') return;
    this.#snapshots.get(message.call)?.(message.value as ScreenSnapshot);
    this.#snapshots.delete(message.call);
  }
}
