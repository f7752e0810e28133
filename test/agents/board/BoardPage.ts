import type { Page } from 'playwright-core';
import type { AgentQuestion, AgentRow } from '../../../src-main/contract/agents.ts';
import { strings } from '../../../src-renderer/app/strings.ts';
import { TerminalWindow } from '../../support/TerminalWindow.ts';
import type { TestBrowser } from '../../support/WebApp.ts';

const { refusals, early } = strings.agents;
/** Time from the person's look at a place to the press there, ms. */
const HAND_MS = { from: 80, range: 220 };
/** Without any sign of an answer for this time, the person looks again, ms. */
const PATIENCE_MS = 1_200;
const EVERY_MS = 50;
const MOST_TRIES = 20;

/** Result of one press: the question is gone from the page, or the row's words. */
export type Outcome = 'gone' | 'early' | keyof typeof refusals;

/** The Agents page in a real browser, with one person who has one mouse and looks before each press. */
export class BoardPage {
  readonly #page: Page;
  readonly #random: () => number;
  /** The hand does one thing at a time. */
  #hand: Promise<unknown> = Promise.resolve();
  /** Number of presses that the page did not take, because something had just appeared there. */
  earlyPresses = 0;

  private constructor(page: Page, random: () => number) {
    this.#page = page;
    this.#random = random;
  }

  static async open(browser: TestBrowser, url: string, random: () => number): Promise<BoardPage> {
    const { page } = await browser.open('about:blank');
    await page.addInitScript(noteQuestions);
    await page.goto(url);
    await new TerminalWindow(page).ready();
    await page.keyboard.press('Control+Shift+A');
    await page.locator('[data-keys="agents"]').waitFor();
    return new BoardPage(page, random);
  }

  close(): Promise<void> {
    return this.#page.context().close();
  }

  /** Time at which the page had the question, in ms since 1970. */
  shownMs(questionId: string): Promise<number> {
    return this.#page
      .waitForFunction((id) => (window as unknown as Noted).questionsMs.get(id), questionId, { polling: EVERY_MS })
      .then((shown) => shown.jsonValue() as Promise<number>);
  }

  /** Chooses the row, types a prompt into the field beside it and sends it. */
  reply(row: AgentRow, text: string): Promise<void> {
    return this.#once(async () => {
      await this.#choose(row);
      await this.#page.keyboard.press('r');
      await this.#page.keyboard.type(text);
      await this.#page.keyboard.press('Enter');
      await this.#page.waitForFunction(
        () => (document.getElementById('agent-reply') as HTMLTextAreaElement | null)?.value === '',
      );
      await this.#page.keyboard.press('Escape'); // the keys go to the list
    });
  }

  /** Presses the option, by the mouse or by its number, until the question has gone or the row says why not. */
  async answer(row: AgentRow, question: AgentQuestion, option: number): Promise<Outcome> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      await this.#once(() => this.#press(row, question, option));
      const outcome = await this.#outcome(question);
      if (outcome !== 'early') return outcome;
      this.earlyPresses += 1;
    }
    throw new Error(`${MOST_TRIES} presses did not answer ${question.text}`);
  }

  async #press(row: AgentRow, { id, options }: AgentQuestion, option: number): Promise<void> {
    const group = this.#page.locator(`[data-settles="${id}"]`);
    if ((await group.count()) === 0) return;
    if (this.#random() < 0.5) {
      await this.#choose(row);
      await this.#handMoves();
      await this.#page.keyboard.press(`${option + 1}`);
    } else
      await this.#click(
        group
          .getByRole('button')
          .filter({ hasText: options[option] ?? '' })
          .first(),
      );
  }

  /** Clicks the head of the row until it is the selected one. */
  async #choose({ conversationId }: AgentRow): Promise<void> {
    const head = this.#page.locator(`[aria-labelledby="agent-${conversationId}"] > button`);
    while ((await head.getAttribute('aria-current')) !== 'true') await this.#click(head);
  }

  /** Looks where it is, and clicks that place a moment later, whatever is there then. */
  async #click(target: ReturnType<Page['locator']>): Promise<void> {
    await target.scrollIntoViewIfNeeded({ timeout: 1_000 }).catch(() => undefined); // it went away meanwhile
    const box = await target.boundingBox({ timeout: 1_000 }).catch(() => null);
    if (!box) return;
    await this.#handMoves();
    await this.#page.mouse.click(box.x + Math.min(box.width / 2, 60), box.y + Math.min(box.height / 2, 12));
  }

  async #outcome({ id }: AgentQuestion): Promise<Outcome> {
    const group = this.#page.locator(`[data-settles="${id}"]`);
    const article = this.#page.getByRole('article').filter({ has: group });
    for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += EVERY_MS) {
      if ((await group.count()) === 0) return 'gone';
      const said = (await article.getByRole('status').allTextContents()).join();
      if (said.includes(strings.agents.question.sending)) waitedMs = 0;
      else if (said.includes(early)) return 'early';
      for (const [reason, words] of Object.entries(refusals))
        if (said.includes(words)) return reason as keyof typeof refusals;
      await this.#page.waitForTimeout(EVERY_MS);
    }
    return 'early';
  }

  #handMoves(): Promise<void> {
    return this.#page.waitForTimeout(HAND_MS.from + this.#random() * HAND_MS.range);
  }

  #once<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#hand.then(act);
    this.#hand = done.catch(() => undefined);
    return done;
  }
}

interface Noted {
  readonly questionsMs: Map<string, number>;
}

/** Runs in the page: notes when each question is drawn. */
function noteQuestions(): void {
  const questionsMs = new Map<string, number>();
  Object.assign(window, { questionsMs });
  new MutationObserver(() => {
    for (const group of document.querySelectorAll<HTMLElement>('[data-settles]')) {
      const id = group.dataset.settles ?? '';
      if (!questionsMs.has(id)) questionsMs.set(id, Date.now());
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-settles'] });
}
