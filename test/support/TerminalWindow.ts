import type { Locator, Page } from 'playwright-core';
import { strings } from '../../src-renderer/app/strings.ts';
import { ComposerField } from './ComposerField.ts';
import { soon } from './soon.ts';
import type { TestBrowser } from './WebApp.ts';

export { soon };

/** One page of the app, as a person sees and uses it. */
export class TerminalWindow {
  readonly page: Page;
  readonly composer: ComposerField;
  readonly tabs: Locator;
  /** The emulator of a running card, or of a program that has the whole pane. */
  readonly live: Locator;
  readonly dialog: Locator;
  /** The drawn cards: list items with a heading, which dividers do not have. */
  readonly cards: Locator;
  /** The composer while the shell is idle. */
  readonly #prompt: Locator;

  constructor(page: Page) {
    this.page = page;
    this.composer = new ComposerField(page);
    this.#prompt = page.getByRole('textbox', { name: strings.composer.command, exact: true });
    this.tabs = page.getByRole('tab');
    this.live = page.locator('.live-host');
    this.dialog = page.getByRole('dialog');
    this.cards = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading') });
  }

  /** Opens a second window on the same core with this window's token, because the code in the URL works only once. `prepare` runs before it loads. */
  async beside(browser: TestBrowser, url: string, prepare?: (page: Page) => Promise<unknown>): Promise<TerminalWindow> {
    const token = await this.page.evaluate(() => sessionStorage.getItem('hansard.token') ?? '');
    const { page } = await browser.open('about:blank');
    await page.addInitScript((key) => {
      if (location.protocol.startsWith('http')) sessionStorage.setItem('hansard.token', key);
    }, token);
    await prepare?.(page);
    await page.goto(new URL(url).origin);
    return new TerminalWindow(page);
  }

  /** Resolves when the shell is idle and the composer has the keys. */
  async ready(): Promise<void> {
    await this.#idle();
    await soon(() => this.focused()).toBe('line');
  }

  /** Call before each test of a shared window: interrupts a program that a failed test left running. */
  async interruptLeftovers(): Promise<void> {
    if ((await this.#prompt.count()) === 1) return;
    await this.live.click({ timeout: 5000 }).catch(() => undefined); // without an emulator, the test itself fails with the reason
    await this.page.keyboard.press('Control+c');
    await this.#prompt.waitFor({ timeout: 5000 }).catch(() => undefined);
  }

  /** The part that has the keys: `line`, `program`, `text`, or `none`. */
  focused(): Promise<string> {
    return this.page.evaluate(
      () => document.activeElement?.closest<HTMLElement>('[data-keys]')?.dataset.keys ?? 'none',
    );
  }

  /** The newest card whose command begins with these words. */
  card(command: string): Locator {
    return this.cards.filter({ has: this.page.getByRole('heading', { name: startsWith(command) }) }).last();
  }

  /** The card's accessible name: its command and how it ended, in words. */
  async name(card: Locator): Promise<string> {
    return ((await card.getByRole('heading').textContent()) ?? '').trim().replace(/\s+,/g, ',');
  }

  /** The finished lines that a card draws. */
  lines(card: Locator): Promise<string[]> {
    return card.locator('.line').allTextContents();
  }

  /** Submits a line to the idle shell. */
  async submit(command: string): Promise<void> {
    await this.#idle();
    await this.composer.fill(command);
    await this.page.keyboard.press('Enter');
  }

  /** Submits a line, waits until its card has ended, and returns the card. */
  async run(command: string): Promise<Locator> {
    const before = await this.#lastSeq();
    await this.submit(command);
    const id = await this.#newId(before, true);
    return this.page.locator(`[data-flow="${id}"]`);
  }

  /** Submits a line whose program keeps running, waits until that has the keys, and returns the card. */
  async start(command: string): Promise<Locator> {
    const before = await this.#lastSeq();
    await this.submit(command);
    const id = await this.#newId(before, false);
    await soon(() => this.focused()).toBe('program');
    return this.page.locator(`[data-flow="${id}"]`);
  }

  /** Opens a tab by its key, and waits until it is shown and its shell is at the prompt. */
  async openTab(): Promise<void> {
    const before = await this.tabs.count();
    await this.page.keyboard.press('Control+Shift+T');
    await soon(() => this.tabs.count()).toBe(before + 1);
    await soon(() => this.tabs.nth(before).getAttribute('aria-selected')).toBe('true');
    await this.ready();
  }

  /** The emulator's visible rows, without empty rows at the end. */
  liveRows(): Promise<string[]> {
    return this.page.evaluate(() => {
      const host = document.querySelector('.live-host');
      if (!host) return [];
      const box = host.getBoundingClientRect();
      const rows = [...host.querySelectorAll('.xterm-rows > div')].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return (top + bottom) / 2 > box.top && (top + bottom) / 2 < box.bottom;
      });
      const texts = rows.map((row) => (row.textContent ?? '').replaceAll('\u00a0', ' ').trimEnd());
      return texts.slice(0, texts.findLastIndex((text) => text !== '') + 1);
    });
  }

  /** Opens the card's context menu and chooses `item`. */
  async choose(card: Locator, item: string): Promise<void> {
    await card.getByRole('heading').click({ button: 'right' });
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** Enters card mode on this card. */
  async select(card: Locator): Promise<void> {
    // A list that redraws between the focus and the key loses the focus, so both are repeated until the card is chosen.
    await soon(async () => {
      if ((await card.getAttribute('class'))?.includes('chosen')) return true;
      await card.focus();
      await this.page.keyboard.press('F6');
      return false;
    }).toBe(true);
  }

  /** Runs an action by its name in the palette. */
  async act(action: string): Promise<void> {
    await this.page.keyboard.press('Control+Shift+P');
    await this.page.getByPlaceholder(strings.search.palette.placeholder).fill(action);
    await soon(() => this.page.getByRole('option', { selected: true }).innerText()).toContain(action);
    await this.page.keyboard.press('Enter');
  }

  async #idle(): Promise<void> {
    await soon(() => this.#prompt.count()).toBe(1);
  }

  /** The highest number of a drawn card. The newest card is drawn while the list is scrolled to its end. */
  #lastSeq(): Promise<number> {
    return this.page.locator('li.card').evaluateAll((all: HTMLElement[]) =>
      // a client's command has another kind of id, without a number
      Math.max(0, ...all.map((one) => Number.parseInt(one.dataset.flow?.slice(1) ?? '', 10) || 0)),
    );
  }

  /** Waits for the card of a command after number `seq`, until it exists or (`isOver`) has ended, and returns its id. */
  async #newId(seq: number, isOver: boolean): Promise<string> {
    let id = '';
    const look = (): Promise<string> =>
      this.page.evaluate(
        ({ seq: before, isOver: over }) =>
          [...document.querySelectorAll<HTMLElement>('li.card.command')].findLast(
            ({ dataset, classList }) =>
              Number.parseInt(dataset.flow?.slice(1) ?? '', 10) > before && (!over || !classList.contains('running')),
          )?.dataset.flow ?? '',
        { seq, isOver },
      );
    await soon(async () => {
      id = await look();
      return id;
    }).not.toBe('');
    return id;
  }
}

function startsWith(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
}
