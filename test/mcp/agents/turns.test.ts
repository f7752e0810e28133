import { expect, test } from 'vitest';
import type { AgentState, ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { untilTurnEnds } from '../../../src-main/mcp/agents/turns.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { Emitter } from '../../../src-main/util/Emitter.ts';

/** The part of a terminal with an agent that a wait follows. */
class AgentTerminal {
  readonly #changed = new Emitter<void>();
  readonly #said = new Emitter<void>();
  state: AgentState = 'working';
  lines: Partial<ChatMessage>[] = [{ kind: 'user', order: 0, text: 'Review it', final: true }];

  /** The wait for the answer to the prompt; `isOver` tells whether it has ended. */
  wait(waitMs = 5_000): { isOver: boolean; ended: Promise<void> } {
    const { lines } = this;
    const own = {
      get view() {
        return { state: 'live', agent: { state: self.state } };
      },
      chat: { lines, onChange: (one: () => void) => this.#said.on(one) },
      onChanged: (one: () => void) => this.#changed.on(one),
    };
    const self = this;
    const wait = { isOver: false, ended: Promise.resolve() };
    const signal = new AbortController().signal;
    wait.ended = untilTurnEnds(own as unknown as PtyInstance, { after: 0, waitMs, signal }).then(() => {
      wait.isOver = true;
    });
    return wait;
  }

  says(text: string, final: boolean): void {
    this.lines[1] = { kind: 'model', order: 1, text, final };
    this.#said.fire();
  }

  is(state: AgentState): void {
    this.state = state;
    this.#changed.fire();
  }
}

const ms = (some: number) => new Promise((resolve) => setTimeout(resolve, some));

test('a wait does not end in the middle of a sentence because the state still says that the agent asks', async () => {
  const terminal = new AgentTerminal();
  terminal.is('needs_approval');
  const wait = terminal.wait();
  terminal.says('The function', false);
  await ms(50);
  expect(wait.isOver).toBe(false);
  terminal.is('working');
  terminal.says('The function subtracts', false);
  await ms(700);
  expect(wait.isOver).toBe(false);
  terminal.says('The function subtracts.', true);
  terminal.is('idle');
  await wait.ended;
});

test('a wait ends when the agent asks behind a sentence that stays open', async () => {
  const terminal = new AgentTerminal();
  terminal.says('I run the tests', false);
  const wait = terminal.wait(60_000);
  terminal.is('needs_approval');
  await wait.ended;
});

test('a wait ends at once when the answer is whole', async () => {
  const terminal = new AgentTerminal();
  terminal.says('Done.', true);
  terminal.is('idle');
  const began = performance.now();
  await terminal.wait().ended;
  expect(performance.now() - began).toBeLessThan(400);
});
