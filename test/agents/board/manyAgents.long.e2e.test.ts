import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentQuestion, AnswerVerdict } from '../../../src-main/contract/agents.ts';
import type { CoreConnection } from '../../../src-main/hosts/web/connectCore.ts';
import { connectTo } from '../../support/coreClient.ts';
import { seeded } from '../../support/ParagraphAgent.ts';
import { ServedApp } from '../../support/WebApp.ts';
import { onScreen } from '../drive/Seat.ts';
import { installedVersion } from '../launch/Agent.ts';
import { AGENTS } from '../launch/agents.ts';
import { AgentSeat, repositoryAt } from './AgentSeat.ts';
import { type Asked, canAsk, choiceOf, commandOf } from './Asked.ts';
import { FollowedBoard } from './FollowedBoard.ts';

const KINDS = ['claude', 'gemini', 'codex', 'opencode'];
/** 24 in CI; use `HANSARD_BOARD_QUESTIONS=200` for a long run. */
const QUESTIONS = Number(process.env.HANSARD_BOARD_QUESTIONS ?? 24);
const SEED = Number(process.env.HANSARD_BOARD_SEED ?? 16);
/** Limit from a dialog on the screen to its question on the board. */
const SHOWN_MS = 500;

/** Limit for a question that was answered in the terminal to leave the board. */
const LOOKS_MS = 4_000;

type Way = 'board' | 'terminal' | 'both';

/** One answered question. */
interface Answered {
  readonly of: string;
  readonly way: Way;
  /** Time from the dialog on the screen to the question on the board, in ms. */
  readonly delayMs: number;
  readonly isOk: boolean;
}

/** A person with eight agents, who answers on the board, in the terminal, or both. */
class Person {
  readonly #app: ServedApp;
  readonly #random = seeded(SEED);
  readonly answered: Answered[] = [];
  readonly seats: AgentSeat[] = [];
  #link: CoreConnection;
  #board: FollowedBoard;
  #asked = 0;

  constructor(app: ServedApp) {
    this.#app = app;
    this.#link = connectTo(app.home);
    this.#board = new FollowedBoard(this.#link.api);
  }

  async sitDown(folder: string): Promise<void> {
    const { project, worktree } = repositoryAt(folder);
    const other = join(folder, 'other');
    mkdirSync(other);
    const folders = [project, worktree, other];
    const kinds = AGENTS.filter(({ name }) => KINDS.includes(name));
    for (const [at, agent] of [...kinds, ...kinds].entries())
      this.seats.push(await AgentSeat.open(agent, this.#link.api, folders[at % folders.length]));
    await this.#start();
  }

  /** Answers `each` questions of every agent, with all agents in parallel. */
  async answerAll(each: number): Promise<void> {
    await Promise.all(
      this.seats.map(async (seat) => {
        for (let at = 0; at < each; at += 1) await this.#answer(seat, this.#next(seat));
      }),
    );
  }

  /** Leaves a question open in each terminal, kills everything as a power cut does, and restarts. No earlier question can be answered then. */
  async survivesKill(): Promise<void> {
    const open = await Promise.all(
      this.seats.map(async (seat) => {
        const asked = commandOf(seat, `killed-${this.seats.indexOf(seat)}`);
        return { seat, asked, terminalId: seat.terminalId, question: (await this.#ask(seat, asked)).question };
      }),
    );
    await this.#app.crash(); // with PTY host, because agents survive a kill of the core alone
    this.#board.dispose();
    this.#link.dispose();
    await this.#app.start();
    this.#link = connectTo(this.#app.home);
    this.#board = new FollowedBoard(this.#link.api);
    for (const { seat, asked, terminalId, question } of open) {
      const verdict = await this.#link.api.agent.answer.mutate({ terminalId, questionId: question.id, option: 0 });
      expect(verdict).toEqual({ ok: false, reason: 'gone' });
      expect(seat.read(`ran-${asked.mark}.txt`)).toBe('');
    }
    await this.#start();
  }

  async #start(): Promise<void> {
    await Promise.all(this.seats.map((seat) => seat.start(this.#link.api).then(() => seat.warmUp())));
  }

  dispose(): void {
    this.#board.dispose();
    this.#link.dispose();
  }

  #next(seat: AgentSeat): Asked {
    this.#asked += 1;
    const mark = `part-${this.#asked}`;
    return canAsk(seat) && this.#random() < 0.4 ? choiceOf(seat, mark) : commandOf(seat, mark);
  }

  /** Sends the prompt from the board; resolves when the board has the question. */
  async #ask(seat: AgentSeat, asked: Asked): Promise<{ question: AgentQuestion; delayMs: number }> {
    const { terminalId } = seat;
    await this.#board.until(
      terminalId,
      `${seat.agent.name} is idle before ${asked.mark}`,
      ({ state }) => state === 'idle',
    );
    seat.model.load({ prompt: asked.prompt, replies: asked.replies });
    const onBoard = this.#board.until(terminalId, `the question of ${asked.mark}`, ({ question }) => {
      return question !== null && question.options.length > 0 && question.text.includes(asked.mark);
    });
    const verdict = await this.#link.api.agent.reply.mutate({ terminalId, text: asked.prompt });
    expect(verdict, `${seat.agent.name} gets ${asked.mark}`).toMatchObject({ ok: true });
    if (verdict.ok && !verdict.sent) seat.seat.keys('\x7f'); // the agent's input line may contain keys that both typed at once
    const onScreenMs = seat.seat.sees([onScreen(DIALOGS)], `the dialog of ${asked.mark}`).then(() => Date.now());
    const [{ row, atMs }, screenMs] = await Promise.all([onBoard, onScreenMs]);
    if (!row.question) throw new Error('the row lost its question');
    return { question: row.question, delayMs: Math.max(0, atMs - screenMs) };
  }

  async #answer(seat: AgentSeat, asked: Asked): Promise<void> {
    const { agent } = seat;
    const { question, delayMs } = await this.#ask(seat, asked);
    const choices = asked.choices(question);
    const pick = () => choices[Math.floor(this.#random() * choices.length)] ?? 0;
    const way = this.#way();
    const typing = way === 'board' ? null : this.#types(seat, this.#random() < 0.5 ? agent.allow : agent.deny);
    let option = pick();
    let verdict = way === 'terminal' ? null : await this.#choose(seat, question, option);
    await typing;
    if (way === 'board') expect(verdict, `${agent.name} ${asked.mark}`).toEqual({ ok: true });
    if (verdict && !verdict.ok) expect(['changed', 'typing', 'pointer']).toContain(verdict.reason);
    if (!verdict?.ok && (await this.#isStillOpen(seat, question))) {
      option = pick(); // simultaneous keys may have combined to another key, so answer again
      verdict = await this.#choose(seat, question, option);
      expect(verdict, `${agent.name} ${asked.mark}, once more`).toEqual({ ok: true });
    }
    await this.#board.until(
      seat.terminalId,
      `the end of ${asked.mark}`,
      (row) => row.state === 'idle' && !row.question,
    );
    const label = verdict?.ok ? (question.options[option] ?? '') : null;
    if (label !== null) expect(asked.chosen(question), `${agent.name} ${asked.mark}, ${way}`).toContain(label);
    await this.#isOnRecord(seat, asked, label);
    this.answered.push({ of: agent.name, way, delayMs, isOk: label !== null });
  }

  #choose({ terminalId }: AgentSeat, { id: questionId }: AgentQuestion, option: number): Promise<AnswerVerdict> {
    return this.#link.api.agent.answer.mutate({ terminalId, questionId, option });
  }

  async #isStillOpen({ terminalId }: AgentSeat, { id }: AgentQuestion): Promise<boolean> {
    const gone = this.#board.until(terminalId, 'it is answered', ({ question }) => question?.id !== id, LOOKS_MS);
    return gone.then(
      () => false,
      () => true,
    );
  }

  /** Presses a key as a person at the terminal, after a short look. */
  async #types(seat: AgentSeat, keys: string): Promise<void> {
    await seat.seat.looks(550 + this.#random() * 250);
    seat.seat.keys(keys);
  }

  #way(): Way {
    const dice = this.#random();
    return dice < 0.6 ? 'board' : dice < 0.8 ? 'terminal' : 'both';
  }

  /** Expects this question once in the conversation, with one answer. */
  async #isOnRecord(seat: AgentSeat, { mark }: Asked, label: string | null): Promise<void> {
    const row = this.#board.live(seat.terminalId);
    if (!row) throw new Error(`${seat.agent.name} has ended`);
    const { terminalId, conversationId } = row;
    const { messages } = await this.#link.api.chat.page.query({ terminalId, conversationId, limit: 500 });
    const asked = messages.filter(({ kind, text }) => kind === 'permission' && text.includes(mark));
    expect(asked.map(({ question }) => question?.verdict !== undefined, mark)).toEqual([true]);
    if (label !== null) expect(asked[0]?.question?.verdict).toMatchObject({ choice: label, by: 'user' });
  }
}

/** Matches the screen of each agent while it asks. */
const DIALOGS =
  'Do you want to|Would you like to|Allow execution|Permission required|[Ee]nter(?: to)? (?:select|submit)';

function missing(): string | null {
  if (process.env.HANSARD_TEST_AGENTS !== '1') return 'the real agents are played where HANSARD_TEST_AGENTS=1';
  const absent = AGENTS.filter((agent) => KINDS.includes(agent.name) && installedVersion(agent) === null);
  return absent.length > 0
    ? `not installed: ${absent.map(({ name }) => name).join(', ')} (npm ci in test/agents)`
    : null;
}

describe('eight real agents of four kinds, in two projects and a work tree', () => {
  test(`get ${QUESTIONS} answers from the list and in terminals, each dialog exactly the intended one, over a kill of the core`, {
    timeout: 170_000 + QUESTIONS * 6_000,
  }, async (context) => {
    const reason = missing();
    if (reason !== null) return context.skip(reason);
    const folder = mkdtempSync(join(tmpdir(), 'hansard-board-'));
    const app = await new ServedApp().start();
    const person = new Person(app);
    try {
      await person.sitDown(folder);
      const each = Math.ceil(QUESTIONS / person.seats.length);
      await person.answerAll(Math.ceil(each / 2));
      await person.survivesKill();
      await person.answerAll(Math.floor(each / 2));
      expect(person.answered.length).toBeGreaterThanOrEqual(QUESTIONS - person.seats.length);
      expect(person.answered.filter(({ isOk }) => isOk).length).toBeGreaterThan(QUESTIONS / 3);
      const delays = person.answered.map(({ delayMs }) => delayMs).sort((a, b) => a - b);
      process.stdout.write(`questions on the board after ${delays.join(', ')} ms\n`);
      expect(delays[Math.floor(delays.length * 0.95) - 1]).toBeLessThan(SHOWN_MS);
    } finally {
      person.dispose();
      await app.dispose();
      for (const seat of person.seats) await seat.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
