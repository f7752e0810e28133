import type { PtyInstance } from '../terminal/PtyInstance.ts';
import type { Clock } from '../util/Clock.ts';
import { type ShownDialog, shownQuestion } from './readQuestion.ts';
import { screenChanges } from './screenChanges.ts';

/** Longest time in which the pointer is moved back, while the person's keys wait. */
const BACK_MS = 2_000;

export interface AnswerKeysSpec {
  readonly terminal: PtyInstance;
  /** `user`, or `agent:` and the client. */
  readonly actor: string;
  readonly clock: Clock;
  /** Called before each key. It throws to stop the answer. */
  readonly guard?: (() => void) | undefined;
}

/** An arrow that undoes another one. */
interface Back {
  readonly keys: string;
  /** What was shown before the other one. */
  readonly shown: ShownDialog;
}

/**
 * The keys of one answer. From the first arrow on the person's keys wait: they were pressed for the option that the pointer showed before, so they
 * follow only after the pointer is back there.
 */
export class AnswerKeys {
  readonly #spec: AnswerKeysSpec;
  /** Count of the person's keys when the answer began. */
  readonly #count: number;
  #isHolding = false;
  #back: Back[] = [];

  constructor(spec: AnswerKeysSpec) {
    this.#spec = spec;
    this.#count = spec.terminal.input.keys.count;
  }

  /** Whether the person has typed since, or another writer has the keys. */
  get isTyped(): boolean {
    const { input } = this.#spec.terminal;
    return input.keys.count !== this.#count || (input.isHeld && !this.#isHolding);
  }

  /** Moves the pointer by one. `back`: how to undo it. */
  move(keys: string, back: Back): void {
    this.press(keys);
    if (this.#back.at(-1)?.keys === keys) this.#back.pop();
    else this.#back.push(back);
  }

  press(keys: string): void {
    const { terminal, actor, guard } = this.#spec;
    guard?.();
    if (!this.#isHolding) terminal.input.hold(() => undefined);
    this.#isHolding = true;
    terminal.agents.typed(keys, actor);
    terminal.input.write(keys);
  }

  /** Presses the key that ends the answer; the person's next keys are for what follows. */
  choose(keys: string): void {
    this.press(keys);
    this.#back = [];
    this.#release();
  }

  /** Moves the pointer back if nothing was chosen, then sends the person's keys. */
  async giveBack(): Promise<void> {
    const { terminal, clock, actor } = this.#spec;
    const untilMs = clock.monotonicMs() + BACK_MS;
    try {
      for (let step = this.#back.pop(); step; step = this.#back.pop()) {
        if (!isSame(await shownQuestion(terminal, clock), step.shown)) return;
        terminal.agents.typed(step.keys, actor);
        terminal.input.write(step.keys);
        await this.#isAt(step.shown.dialog.pointed, untilMs - clock.monotonicMs());
      }
    } finally {
      this.#release();
    }
  }

  async #isAt(option: number | null, withinMs: number): Promise<void> {
    const { terminal, clock } = this.#spec;
    for await (const _ of screenChanges({ terminal, clock }, withinMs))
      if ((await shownQuestion(terminal, clock))?.dialog.pointed === option) return;
  }

  #release(): void {
    if (!this.#isHolding) return;
    this.#isHolding = false;
    this.#spec.terminal.input.release();
  }
}

/** Compares without the labels, because the answer may have typed a text into one. */
function isSame(shown: ShownDialog | null, before: ShownDialog): boolean {
  return shown?.question.text === before.question.text && shown.dialog.options.length === before.dialog.options.length;
}
