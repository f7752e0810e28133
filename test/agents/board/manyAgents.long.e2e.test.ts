import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentRow } from '../../../src-main/contract/agents.ts';
import type { CoreConnection } from '../../../src-main/hosts/web/connectCore.ts';
import { connectTo } from '../../support/coreClient.ts';
import { seeded } from '../../support/ParagraphAgent.ts';
import { BROWSER, ServedApp, TestBrowser } from '../../support/WebApp.ts';
import { onScreen } from '../drive/Seat.ts';
import { installedVersion } from '../launch/Agent.ts';
import { AGENTS } from '../launch/agents.ts';
import { AgentSeat, repositoryAt } from './AgentSeat.ts';
import { type Asked, canAsk, choiceOf, commandOf } from './Asked.ts';
import { BoardPage, type Outcome } from './BoardPage.ts';
import { FollowedBoard } from './FollowedBoard.ts';

const KINDS = ['claude', 'gemini', 'codex', 'opencode'];
/** 24 in CI; use `HANSARD_BOARD_QUESTIONS=200` for a long run. */
const QUESTIONS = Number(process.env.HANSARD_BOARD_QUESTIONS ?? 24);
const SEED = Number(process.env.HANSARD_BOARD_SEED ?? 16);
/** Limit from a dialog on the screen to its question on the board. */
const SHOWN_MS = 500;

/** Limit for a question that was answered in the terminal to leave the board. */
const LOOKS_MS = 4_000;

type Way = 'page' | 'terminal' | 'both';

/** One answered question. */
interface Answered {
  readonly of: string;
  readonly way: Way;
  /** Time from the dialog on the screen to the question on the page, in ms. */
  readonly delayMs: number;
  /** The page answered it. */
  readonly isOk: boolean;
}

/** A question on the board, as the row that shows it. */
type AskedRow = AgentRow & { readonly question: NonNullable<AgentRow['question']> };

/** A person with eight agents, who answers on the Agents page, in the terminal, or both. */
class Person {
  readonly #app: ServedApp;
  readonly #random = seeded(SEED);
  readonly answered: Answered[] = [];
  readonly seats: AgentSeat[] = [];
  readonly #browser = new TestBrowser();
  #link: CoreConnection;
  #board: FollowedBoard;
  /** The pages so far; the last one is open. */
  readonly pages: BoardPage[] = [];
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
        return { seat, asked, terminalId: seat.terminalId, question: (await this.#ask(seat, asked)).row.question };
      }),
    );
    await this.#page.close();
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
    this.pages.push(await BoardPage.open(this.#browser, this.#app.url, this.#random));
    await Promise.all(this.seats.map((seat) => seat.start(this.#link.api).then(() => seat.warmUp())));
  }

  async dispose(): Promise<void> {
    this.#board.dispose();
    this.#link.dispose();
    await this.#browser.dispose();
  }

  #next(seat: AgentSeat): Asked {
    this.#asked += 1;
    const mark = `part-${this.#asked}`;
    return canAsk(seat) && this.#random() < 0.4 ? choiceOf(seat, mark) : commandOf(seat, mark);
  }

  get #page(): BoardPage {
    const page = this.pages.at(-1);
    if (!page) throw new Error('the page was not opened');
    return page;
  }

  /** Sends the prompt from the page; resolves when the page has the question. */
  async #ask(seat: AgentSeat, asked: Asked): Promise<{ row: AskedRow; delayMs: number }> {
    const { terminalId } = seat;
    const { row: idle } = await this.#board.until(
      terminalId,
      `${seat.agent.name} is idle before ${asked.mark}`,
      ({ state }) => state === 'idle',
    );
    seat.model.load({ prompt: asked.prompt, replies: asked.replies });
    const onBoard = this.#board.until(
      terminalId,
      `the question of ${asked.mark}`,
      ({ question }) => question !== null && question.options.length > 0 && question.text.includes(asked.mark),
    );
    const onScreenMs = seat.seat.sees([onScreen(DIALOGS)], `the dialog of ${asked.mark}`).then(() => Date.now());
    await this.#page.reply(idle, asked.prompt);
    if (this.#board.live(terminalId)?.queued.length) seat.seat.keys('\x7f'); // the agent's input line may contain keys that both typed at once
    const [{ row }, screenMs] = await Promise.all([onBoard, onScreenMs]);
    if (!isAskedRow(row)) throw new Error('the row lost its question');
    return { row, delayMs: Math.max(0, (await this.#page.shownMs(row.question.id)) - screenMs) };
  }

  async #answer(seat: AgentSeat, asked: Asked): Promise<void> {
    const { agent } = seat;
    const what = `${agent.name} ${asked.mark}`;
    const { row, delayMs } = await this.#ask(seat, asked);
    const { question } = row;
    const choices = asked.choices(question).filter((option) => !question.takesText[option]);
    const pick = () => choices[Math.floor(this.#random() * choices.length)] ?? 0;
    const way = this.#way();
    const typing = way === 'page' ? null : this.#types(seat, this.#random() < 0.5 ? agent.allow : agent.deny);
    let option = pick();
    let outcome: Outcome | null = way === 'terminal' ? null : await this.#page.answer(row, question, option);
    await typing;
    if (way === 'page') expect(outcome, what).toBe('gone');
    else if (outcome !== null) expect(['gone', 'changed', 'typing', 'pointer'], what).toContain(outcome);
    if (outcome !== 'gone' && (await this.#isStillOpen(seat, question))) {
      option = pick(); // simultaneous keys may have combined to another key, so answer again
      outcome = await this.#page.answer(row, question, option);
      expect(outcome, `${what}, once more`).toBe('gone');
    }
    await this.#board.until(
      seat.terminalId,
      `the end of ${what}`,
      ({ state, question: next }) => state === 'idle' && !next,
    );
    const choice = await this.#choiceOnRecord(row, asked);
    if (way === 'page') expect(choice, what).toBe(question.options[option]);
    if (choice !== null) expect(asked.chosen(question), `${what}, ${way}`).toContain(choice);
    this.answered.push({ of: agent.name, way, delayMs, isOk: outcome === 'gone' });
  }

  async #isStillOpen({ terminalId }: AgentSeat, { id }: AskedRow['question']): Promise<boolean> {
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
    return dice < 0.6 ? 'page' : dice < 0.8 ? 'terminal' : 'both';
  }

  /** Expects this question once in the conversation, with one answer by the person. Null if the choice was not seen. */
  async #choiceOnRecord({ terminalId, conversationId }: AskedRow, { mark }: Asked): Promise<string | null> {
    const { messages } = await this.#link.api.chat.page.query({ terminalId, conversationId, limit: 500 });
    const asked = messages.filter(({ kind, text }) => kind === 'permission' && text.includes(mark));
    expect(asked.map(({ question }) => question?.verdict?.by, mark)).toEqual(['user']);
    return asked[0]?.question?.verdict?.choice ?? null;
  }
}

function isAskedRow(row: AgentRow): row is AskedRow {
  return row.question !== null;
}

/** Matches the screen of each agent while it asks. */
const DIALOGS =
  'Do you want to|Would you like to|Allow execution|Permission required|[Ee]nter(?: to)? (?:select|submit)';

function missing(): string | null {
  if (!BROWSER) return 'no browser';
  if (process.env.HANSARD_TEST_AGENTS !== '1') return 'the real agents are played where HANSARD_TEST_AGENTS=1';
  const absent = AGENTS.filter((agent) => KINDS.includes(agent.name) && installedVersion(agent) === null);
  return absent.length > 0
    ? `not installed: ${absent.map(({ name }) => name).join(', ')} (npm ci in test/agents)`
    : null;
}

describe('eight real agents of four kinds, in two projects and a work tree', () => {
  test(`get ${QUESTIONS} answers on the page and in terminals, each dialog exactly the intended one, over a kill of the core`, {
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
      const byDelay = person.answered.toSorted((a, b) => a.delayMs - b.delayMs);
      const delays = byDelay.map(({ delayMs }) => delayMs);
      const slowest = byDelay.slice(-5).map(({ of, delayMs }) => `${of} ${delayMs}`);
      const early = person.pages.reduce((sum, { earlyPresses }) => sum + earlyPresses, 0);
      process.stdout.write(
        `questions on the page after ${delays.join(', ')} ms; the slowest: ${slowest.join(', ')}; ${early} presses on something that had just appeared\n`,
      );
      expect(delays[Math.floor(delays.length * 0.95) - 1]).toBeLessThan(SHOWN_MS);
    } finally {
      await person.dispose();
      await app.dispose();
      for (const seat of person.seats) await seat.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
