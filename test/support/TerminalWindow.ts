import type { Locator, Page } from 'playwright-core';
import { strings } from '../../src-renderer/app/strings.ts';
import { ComposerField } from './ComposerField.ts';
import { soon } from './soon.ts';
import type { TestBrowser } from './WebApp.ts';

export { soon };

/** One shown page of the app, as the person in front of it sees and uses it. */
export class TerminalWindow {
  readonly page: Page;
  readonly composer: ComposerField;
  readonly tabs: Locator;
  /** What a program that has the whole pane, or a running card, shows. */
  readonly live: Locator;
  readonly dialog: Locator;
  /** Cards that are drawn; dividers are list items too, without a heading. */
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

  /** A second window on the same core, with the key of this one: the code of the address works once. */
  async beside(browser: TestBrowser, url: string): Promise<TerminalWindow> {
    const token = await this.page.evaluate(() => sessionStorage.getItem('hansard.token') ?? '');
    const { page } = await browser.open('about:blank');
    await page.addInitScript((key) => {
      if (location.protocol.startsWith('http')) sessionStorage.setItem('hansard.token', key);
    }, token);
    await page.goto(new URL(url).origin);
    return new TerminalWindow(page);
  }

  /** Resolves when the composer is that of an idle shell and has the keys. */
  async ready(): Promise<void> {
    await this.#idle();
    await soon(() => this.focused()).toBe('line');
  }

  /** Before a test of a window that several share: what one that failed left running is not the fault of the next. */
  async interruptLeftovers(): Promise<void> {
    if ((await this.#prompt.count()) === 1) return;
    await this.live.click({ timeout: 5000 }).catch(() => undefined); // a window without one says so in the test itself
    await this.page.keyboard.press('Control+c');
    await this.#prompt.waitFor({ timeout: 5000 }).catch(() => undefined);
  }

  /** Who has the keys: `line`, `program`, `text`, or `none`. */
  focused(): Promise<string> {
    return this.page.evaluate(
      () => document.activeElement?.closest<HTMLElement>('[data-keys]')?.dataset.keys ?? 'none',
    );
  }

  /** The newest card whose command begins with these words. */
  card(command: string): Locator {
    return this.cards.filter({ has: this.page.getByRole('heading', { name: startsWith(command) }) }).last();
  }

  /** What the card is called: its command and how it ended, in words. */
  async name(card: Locator): Promise<string> {
    return ((await card.getByRole('heading').textContent()) ?? '').trim().replace(/\s+,/g, ',');
  }

  /** The finished lines of a card, as they are drawn. */
  lines(card: Locator): Promise<string[]> {
    return card.locator('.line').allTextContents();
  }

  /** Hands a line to the shell. */
  async submit(command: string): Promise<void> {
    await this.#idle();
    await this.composer.fill(command);
    await this.page.keyboard.press('Enter');
  }

  /** Submits a line and waits for its card to have ended; gives the card. */
  async run(command: string): Promise<Locator> {
    const before = await this.#lastSeq();
    await this.submit(command);
    const id = await this.#newId(before, true);
    return this.page.locator(`[data-flow="${id}"]`);
  }

  /** Submits a line that goes on, and waits until its program has the keys; gives the card. */
  async start(command: string): Promise<Locator> {
    const before = await this.#lastSeq();
    await this.submit(command);
    const id = await this.#newId(before, false);
    await soon(() => this.focused()).toBe('program');
    return this.page.locator(`[data-flow="${id}"]`);
  }

  /** The rows of the emulator that are in view where it is shown, without empty ones at the end. */
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

  /** Opens the card's own menu and chooses from it. */
  async choose(card: Locator, item: string): Promise<void> {
    await card.getByRole('heading').click({ button: 'right' });
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  /** Card mode on this card. */
  async select(card: Locator): Promise<void> {
    // A list that is drawn anew between the two takes the focus: who sees that presses again.
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

  /** The highest number of a drawn card; the newest is drawn while the reader is at the end. */
  #lastSeq(): Promise<number> {
    return this.page.locator('li.card').evaluateAll((all: HTMLElement[]) =>
      // a client's command has another kind of id, without a number
      Math.max(0, ...all.map((one) => Number.parseInt(one.dataset.flow?.slice(1) ?? '', 10) || 0)),
    );
  }

  /** The id of the command's card that came after number `seq`, once it has ended or has begun. */
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
