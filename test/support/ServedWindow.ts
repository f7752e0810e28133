import { TerminalWindow } from './TerminalWindow.ts';
import { ServedApp, TestBrowser } from './WebApp.ts';

/** A served app with one window open in a real browser. */
export class ServedWindow {
  readonly app = new ServedApp();
  readonly browser = new TestBrowser();

  async start(): Promise<TerminalWindow> {
    await this.app.start();
    return new TerminalWindow((await this.browser.open(this.app.url)).page);
  }

  async dispose(): Promise<void> {
    await this.browser.dispose();
    await this.app.dispose();
  }
}
