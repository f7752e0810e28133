import { describe, expect, test } from 'vitest';
import { answerQuestion } from '../../../src-main/agents/answerQuestion.ts';
import { questionOf } from '../../../src-main/agents/readQuestion.ts';
import type { AnswerVerdict } from '../../../src-main/contract/agents.ts';
import { findDialog } from '../../../src-main/conversations/extraction/dialog/findDialog.ts';
import { KeystrokeBuffer } from '../../../src-main/terminal/input/KeystrokeBuffer.ts';
import { UserKeystrokes } from '../../../src-main/terminal/input/UserKeystrokes.ts';
import type { PtyInstance } from '../../../src-main/terminal/PtyInstance.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { frameOf } from '../../support/frames.ts';

const CONVERSATION = 'c1';
const TAKES_TEXT = 'No, stop';
const OPTIONS = ['Yes, proceed', "Yes, and don't ask again", TAKES_TEXT];
/** Step of the clock. */
const TICK_MS = 10;
const LONGEST_MS = 30_000;

interface Chosen {
  readonly question: number;
  readonly option: number;
  readonly by: string;
}

/** An agent that asks one question after another. It reads a key `readsMs` after its arrival and draws at once. */
class AskingAgent {
  readonly clock = new FakeClock();
  readonly keys = new UserKeystrokes(this.clock);
  readonly chosen: Chosen[] = [];
  readonly terminal: PtyInstance;
  readonly #readsMs: number;
  readonly #watchers = new Set<() => void>();
  readonly #hold = new KeystrokeBuffer<string>();
  #asked = 0;
  #sinceMs = this.clock.nowMs();
  #pointed = 0;
  /** Text typed into the last option. */
  text = '';
  #seq = 1;
  #freeMs = 0;
  /** It ignores Return, and erases its rows for this time after each key. */
  erasesMs = 0;
  #erasedUntilMs = 0;
  /** Called whenever the answer waits for the screen. */
  atGap = (): void => undefined;

  constructor(readsMs: number) {
    this.#readsMs = readsMs;
    const view = { agent: { conversationId: CONVERSATION } };
    const agent = this;
    this.terminal = {
      ...{
        view,
        agents: {
          hasTerminal: true,
          typed: () => undefined,
          run: { pointed: () => undefined, extractor: { takesText: (label: string) => label.startsWith(TAKES_TEXT) } },
        },
        input: {
          keys: this.keys,
          get isHeld() {
            return agent.#hold.isOn;
          },
          hold: () => this.#hold.begin(() => undefined),
          write: (data: string) => this.#typed(data, 'page'),
          release: () => {
            for (const held of this.#hold.release()) this.#typed(held, 'person');
          },
        },
      },
      get rawSize() {
        return agent.#seq;
      },
      chat: {
        get lines() {
          return [agent.#message];
        },
      },
      screen: {
        drawn: () => this.#answered(() => this.frame),
        input: () => this.#answered(() => ({ applicationCursor: false })),
        read: () => this.#answered(() => ({ full: true, frame: this.frame, seq: this.#seq, epoch: 'e' })),
        wait: (query: { since: number; timeoutMs: number }) => this.#changed(query),
      },
    } as unknown as PtyInstance;
  }

  get frame() {
    if (this.clock.monotonicMs() < this.#erasedUntilMs) return frameOf([''], { seq: this.#seq });
    return this.#drawn;
  }

  get #drawn() {
    const labels = OPTIONS.map((label) => (label === TAKES_TEXT ? `${label} ${this.text}`.trim() : label));
    const options = labels.map((label, at) => `${at === this.#pointed ? '›' : ' '} ${at + 1}. ${label}`);
    const about = ['Would you like to run the following command?', '', `$ npm test part-${this.#asked}`, ''];
    return frameOf([...about, ...options, '', 'Press enter to confirm or esc to cancel'], { seq: this.#seq });
  }

  get questionId(): string {
    const dialog = findDialog({ ...this.#drawn, screenTop: 0, cursorRow: null });
    if (!dialog) throw new Error('no dialog is on the screen');
    return questionOf(dialog, `${CONVERSATION}/q${this.#asked}`).id;
  }

  person(keys: string): void {
    this.keys.typed(keys, true);
    if (!this.#hold.take(keys)) this.#typed(keys, 'person');
  }

  /** Answers question 0 from the page while time passes. Calls `eachTick` before each step of the clock. */
  async answer(
    option: number,
    eachTick: (ms: number) => void,
    { text = 'not now', guard }: { text?: string; guard?: () => void } = {},
  ): Promise<AnswerVerdict> {
    const answer = { terminalId: 't1', questionId: this.questionId, option, text };
    const { terminal, clock } = this;
    let isOver = false;
    const verdict = answerQuestion({ terminal, answer, actor: 'page', clock, guard }).finally(() => {
      isOver = true;
    });
    verdict.catch(() => undefined); // the caller receives the rejection
    for (let ms = 0; !isOver && ms < LONGEST_MS; ms += TICK_MS) {
      eachTick(ms);
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(TICK_MS);
    }
    if (!isOver) throw new Error('no verdict came');
    clock.advance(LONGEST_MS); // the agent reads all remaining keys
    return verdict;
  }

  get #message() {
    const id = `q${this.#asked}`;
    const text = 'Would you like to run the following command?';
    return {
      kind: 'permission',
      conversationId: CONVERSATION,
      id,
      text,
      startedMs: this.#sinceMs,
      question: { options: OPTIONS },
    };
  }

  /** The agent reads keys in the order of their arrival. */
  #typed(keys: string, by: string): void {
    this.#freeMs = Math.max(this.#freeMs, this.clock.monotonicMs() + this.#readsMs);
    this.clock.after(this.#freeMs - this.clock.monotonicMs(), () => this.#read(keys, by));
  }

  #read(keys: string, by: string): void {
    if (keys === '\x1b[A' || keys === '\x1b[B')
      this.#pointed = Math.min(2, Math.max(0, this.#pointed + (keys === '\x1b[B' ? 1 : -1)));
    if (this.erasesMs > 0) return this.#erase();
    const option = keys === '\r' ? this.#pointed : '123'.indexOf(keys);
    if (option < 0 && this.#pointed === OPTIONS.length - 1 && !keys.startsWith('\x1b')) this.text += keys;
    if (option >= 0) {
      this.text = '';
      this.chosen.push({ question: this.#asked, option, by });
      this.#asked += 1;
      this.#pointed = 0;
      this.#sinceMs = this.clock.nowMs();
    }
    this.#seq += 1;
    for (const watcher of [...this.#watchers]) watcher();
  }

  /** Draws nothing, and then the same question. */
  #erase(): void {
    const drawn = (): void => {
      this.#seq += 1;
      for (const watcher of [...this.#watchers]) watcher();
    };
    this.#erasedUntilMs = this.clock.monotonicMs() + this.erasesMs;
    this.clock.after(this.erasesMs, drawn);
    drawn();
  }

  async #answered<T>(read: () => T): Promise<T> {
    const value = read();
    this.atGap();
    return value;
  }

  #changed({ since, timeoutMs }: { since: number; timeoutMs: number }): Promise<object> {
    return new Promise((resolve) => {
      const told = (outcome: string) => {
        this.#watchers.delete(look);
        late.dispose();
        resolve({ outcome, reading: { full: true, frame: this.frame, seq: this.#seq, epoch: 'e' } });
      };
      const look = () => this.#seq > since && told('met');
      const late = this.clock.after(timeoutMs, () => told('deadline'));
      this.#watchers.add(look);
      look();
    });
  }
}

/**
 * The rule for any key of a person meanwhile: after "ok", the page's answer was chosen; otherwise, the page has chosen nothing. The person's Return
 * chooses the first option, where the pointer was before the page moved it.
 */
function isRight({ chosen }: AskingAgent, verdict: AnswerVerdict, option: number, key = ''): boolean {
  if (key === '\r' && chosen.some((one) => one.by === 'person' && one.option !== 0)) return false;
  const own = chosen.filter(({ by }) => by === 'page');
  if (!verdict.ok) return own.length === 0;
  return own.length === 1 && own[0]?.question === 0 && own[0].option === option;
}

const LATENCIES_MS = [0, 40, 200, 350, 900, 1_500];
const PERSON_KEYS = ['1', '2', '3', '\r', '\x1b[B', '\x1b[A', 'x'];
const CHOICES = [0, 1, 2];

describe('an answer from the page', () => {
  test('chooses its option where nobody types', async () => {
    for (const readsMs of LATENCIES_MS)
      for (const option of CHOICES) {
        const agent = new AskingAgent(readsMs);
        expect(await agent.answer(option, () => undefined)).toMatchObject({ ok: true });
        expect(agent.chosen).toEqual([{ question: 0, option, by: 'page' }]);
      }
  });

  test('asks its guard before each key, also before the one that sends a text', async () => {
    const agent = new AskingAgent(40);
    const guard = () => {
      if (agent.text !== '') throw new Error('access was revoked');
    };
    const answer = agent.answer(2, () => undefined, { guard });
    await expect(answer).rejects.toThrow('access was revoked');
    expect(agent.text).toBe('not now');
    expect(agent.chosen).toEqual([]);
  });

  test('is never taken for the answer that a key typed before it gave, however late the agent reads that key', async () => {
    const wrong: unknown[] = [];
    for (const readsMs of LATENCIES_MS)
      for (const key of PERSON_KEYS)
        for (const option of CHOICES)
          for (const beforeMs of [0, 50, 250, 310, 600, 1_400]) {
            const agent = new AskingAgent(readsMs);
            const { questionId } = agent;
            agent.person(key);
            agent.clock.advance(beforeMs);
            if (agent.questionId !== questionId) continue; // the person's key has already answered
            const verdict = await agent.answer(option, () => undefined);
            if (!isRight(agent, verdict, option, key))
              wrong.push({ readsMs, key, option, beforeMs, verdict, chosen: agent.chosen });
          }
    expect(wrong).toEqual([]);
  });

  test('is as right and as quick after the time of day has stepped', async () => {
    const wrong: unknown[] = [];
    for (const jumpMs of [-3_600_000, -5_000, 3_600_000])
      for (const readsMs of [0, 350, 900])
        for (const key of [...PERSON_KEYS, ''])
          for (const option of CHOICES) {
            const agent = new AskingAgent(readsMs);
            const { questionId } = agent;
            if (key !== '') agent.person(key);
            agent.clock.jump(jumpMs);
            agent.clock.advance(310);
            if (agent.questionId !== questionId) continue; // the person's key has already answered
            const verdict = await agent.answer(option, () => undefined);
            if (!isRight(agent, verdict, option, key))
              wrong.push({ jumpMs, readsMs, key, option, chosen: agent.chosen });
          }
    expect(wrong).toEqual([]);
  });

  test('is not said to be sent when the agent ignored its key and drew the question again', async () => {
    for (const erasesMs of [20, 100, 250]) {
      const agent = new AskingAgent(40);
      agent.erasesMs = erasesMs;
      expect(await agent.answer(0, () => undefined)).toMatchObject({ ok: false, reason: 'open' });
      expect(agent.chosen).toEqual([]);
    }
  });

  test('is refused when the person types at any moment before its last key', async () => {
    const wrong: unknown[] = [];
    for (const readsMs of [0, 40, 350])
      for (const key of PERSON_KEYS)
        for (const option of CHOICES)
          for (let atMs = 0; atMs < 1_600; atMs += 50) {
            const agent = new AskingAgent(readsMs);
            const verdict = await agent.answer(option, (ms) => ms === atMs && agent.person(key));
            if (!isRight(agent, verdict, option, key))
              wrong.push({ readsMs, key, option, atMs, verdict, chosen: agent.chosen });
          }
    expect(wrong).toEqual([]);
  });

  test('is refused when the person types in the very turn in which the screen is read', async () => {
    const wrong: unknown[] = [];
    for (const key of PERSON_KEYS)
      for (const option of CHOICES)
        for (let at = 1; at < 40; at += 1) {
          const agent = new AskingAgent(40);
          let gaps = 0;
          agent.atGap = () => {
            gaps += 1;
            if (gaps === at) agent.person(key);
          };
          const verdict = await agent.answer(option, () => undefined);
          if (!isRight(agent, verdict, option, key)) wrong.push({ key, option, at, verdict, chosen: agent.chosen });
        }
    expect(wrong).toEqual([]);
  });
});
