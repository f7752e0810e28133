import type { Locator, Page } from 'playwright-core';
import { soon } from './soon.ts';

/** The composer's text field, with the methods of a text area's locator: CodeMirror's editor, or the plain text area until that is loaded. */
export class ComposerField {
  readonly #page: Page;
  readonly locator: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.locator = page.locator('[data-keys="line"] :is(textarea, .cm-content)');
  }

  count(): Promise<number> {
    return this.locator.count();
  }

  focus(): Promise<void> {
    return this.locator.focus();
  }

  click(): Promise<void> {
    return this.locator.click();
  }

  /** The whole text, with lines that CodeMirror does not draw because they are out of view. */
  inputValue(): Promise<string> {
    return this.locator.evaluate((field: Element & { cmTile?: { root: { view: { state: { doc: object } } } } }) =>
      field instanceof HTMLTextAreaElement ? field.value : String(field.cmTile?.root.view.state.doc),
    );
  }

  async fill(text: string): Promise<void> {
    await this.locator.and(this.#page.locator('.cm-content')).waitFor();
    await this.locator.fill(text);
    await soon(() => this.inputValue()).toBe(text);
  }

  async pressSequentially(text: string): Promise<void> {
    await this.focus();
    await this.#page.keyboard.type(text);
  }
}
