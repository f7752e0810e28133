import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Builder, Capabilities, Key, type WebDriver } from 'selenium-webdriver';

const WEBKIT = process.env.HANSARD_TEST_WEBKIT ?? '/usr/bin/WebKitWebDriver';
const SCREEN = '/usr/bin/xvfb-run';
/** Paths of what is not installed of WebKitGTK's driver and a screen for it; a suite that needs them skips without. WebKit is the engine of Safari. */
export const MISSING_FOR_WEBKIT = [WEBKIT, SCREEN].filter((path) => !existsSync(path));

/** One page of the app in WebKitGTK, which Playwright cannot drive, on a screen of its own. */
export class WebKitWindow {
  readonly #driver: WebDriver;
  readonly #server: ChildProcess;
  readonly #home: string;

  private constructor(driver: WebDriver, server: ChildProcess, home: string) {
    this.#driver = driver;
    this.#server = server;
    this.#home = home;
  }

  static async open(url: string, size: { readonly width: number; readonly height: number }): Promise<WebKitWindow> {
    const home = mkdtempSync(join(tmpdir(), 'hansard-webkit-'));
    const port = await freePort();
    const server = spawn(SCREEN, ['-a', '-s', '-screen 0 1600x1200x24', WEBKIT, `--port=${port}`], {
      // WebKit's sandbox refuses root; without a graphics card it draws in memory.
      env: { ...process.env, HOME: home, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', LIBGL_ALWAYS_SOFTWARE: '1' },
      stdio: 'ignore',
      detached: true, // one group with its screen and its browser
    });
    while (server.exitCode === null && !(await answers(port))) await wait(50);
    const driver = await new Builder()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities(new Capabilities({ browserName: 'MiniBrowser' }))
      .build();
    await driver
      .manage()
      .window()
      .setRect({ x: 0, y: 0, ...size });
    await driver.get(url);
    return new WebKitWindow(driver, server, home);
  }

  get(url: string): Promise<void> {
    return this.#driver.get(url);
  }

  /** Runs a function in the page; it may return a promise. */
  evaluate<T, Args extends readonly unknown[]>(act: (...args: Args) => T | Promise<T>, ...args: Args): Promise<T> {
    return this.#driver.executeAsyncScript<T>(
      `const done = arguments[arguments.length - 1];
       Promise.resolve((${act}).apply(null, [...arguments].slice(0, -1))).then(done, (error) => done(String(error)));`,
      ...args,
    );
  }

  /** Types characters; `\n` is Return. */
  async type(text: string): Promise<void> {
    await this.#driver.actions({ async: true }).sendKeys(text.replaceAll('\n', Key.ENTER)).perform();
  }

  /** Presses a key with modifiers, by names such as `CONTROL`. */
  async press(...keys: readonly (keyof typeof Key | string)[]): Promise<void> {
    const codes = keys.map((key) => (key in Key ? String(Key[key as keyof typeof Key]) : key));
    let actions = this.#driver.actions({ async: true });
    for (const code of codes) actions = actions.keyDown(code);
    for (const code of codes.toReversed()) actions = actions.keyUp(code);
    await actions.perform();
  }

  async dispose(): Promise<void> {
    await this.#driver.quit().catch(() => undefined); // it may have crashed
    if (this.#server.pid !== undefined) process.kill(-this.#server.pid, 'SIGTERM');
    await new Promise((resolve) => this.#server.once('exit', resolve));
    rmSync(this.#home, { recursive: true, force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/status`).then(
    ({ ok }) => ok,
    () => false,
  );
}
