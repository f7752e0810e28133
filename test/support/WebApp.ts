import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { CutLine } from './CutLine.ts';
import { knownToFish } from './fishHome.ts';
import { killHost } from './hostProcess.ts';
import { launchBrowser } from './launchBrowser.ts';
import { ROOT } from './sourceFiles.ts';

/** Delay between the windows and the core each way, in ms: all browser suites over a slow line find the races that a fast one hides. */
const LINE_MS = Number(process.env.HANSARD_TEST_LINE_MS ?? 0);
/** Path of the browser that `npm test` found; '' if there is none, and the suite skips. */
export const BROWSER = process.env.HANSARD_TEST_BROWSER ?? '/usr/bin/chromium';
/** Path of a Firefox; a suite that needs it skips without. */
export const FIREFOX = process.env.HANSARD_TEST_FIREFOX ?? '/usr/bin/firefox-esr';

/** The built program; `HANSARD_TEST_CLI` names another, such as the source. */
export const CLI = process.env.HANSARD_TEST_CLI ?? join(ROOT, 'out/main/cli.js');

export interface ServeOptions {
  /** An existing data folder, for a restart. */
  home?: string;
  env?: Record<string, string>;
}

/** The built app, served by a real `hansard serve` on a new data folder. */
export class ServedApp {
  readonly home: string;
  url = '';
  #child: ChildProcess | null = null;
  readonly #env: Record<string, string>;
  #line: CutLine | null = null;

  constructor({ home, env }: ServeOptions = {}) {
    this.home = home ?? mkdtempSync(join(tmpdir(), 'hansard-web-'));
    this.#env = env ?? {};
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Resolves when `serve` has printed its URL; rejects with its output if it ends before. */
  async start(): Promise<this> {
    const child = spawn(process.execPath, [CLI, 'serve', '--no-open'], {
      env: { ...shellEnv(), ...this.#env, HANSARD_HOME: this.home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    let printed = '';
    this.url = await new Promise<string>((resolve, reject) => {
      const take = (data: Buffer): void => {
        printed += data.toString();
        const url = printed.match(/http:\/\/127\.0\.0\.1:\d+\/#\S+/)?.[0];
        if (url) resolve(url);
      };
      child.stdout?.on('data', take);
      child.stderr?.on('data', take);
      child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${printed}`)));
    });
    if (LINE_MS > 0) await this.#slowDown();
    return this;
  }

  /** A core that is started again has its port again, so the line to it stays. */
  async #slowDown(): Promise<void> {
    if (!this.#line) {
      this.#line = new CutLine(LINE_MS);
      await this.#line.to(this.url);
    }
    this.url = this.#line.url(this.url);
  }

  /** Ends the core; resolves when it is gone. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }

  /** Kills the core, the PTY host and all shells, as a power cut does. */
  async crash(): Promise<void> {
    const stopped = this.stop('SIGKILL'); // the signal is sent within this call
    killHost(this.home);
    await stopped;
  }

  async dispose(): Promise<void> {
    await this.stop();
    await this.#line?.dispose();
    killHost(this.home); // it survives a kill of the core
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** Environment of a plain bash without dotfiles, so that every machine shows the same prompt. */
export function shellEnv(): Record<string, string> {
  const { PATH = '', TMPDIR, HANSARD_PTY_HOST } = process.env;
  knownToFish(tmpdir());
  const given = { ...(TMPDIR && { TMPDIR }), ...(HANSARD_PTY_HOST && { HANSARD_PTY_HOST }) };
  return { PATH, ...given, HOME: tmpdir(), USER: 'tester', SHELL: '/bin/bash', LANG: 'C.UTF-8' };
}

/** One browser for a suite, a Chromium unless another is asked for, launched by the first `open`. */
export class TestBrowser {
  #browser: Browser | null = null;
  readonly #args: readonly string[];
  readonly #path: string;

  /** `args` are added to those of every launch; `path` is another browser's program. */
  constructor(args: readonly string[] = [], path = BROWSER) {
    this.#args = args;
    this.#path = path;
  }

  async open(
    url: string,
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<{ page: Page; context: BrowserContext }> {
    this.#browser ??= await launchBrowser(this.#path, this.#args);
    const context = await this.#browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB', // a 24-hour clock on every machine
      ...options,
    });
    const page = await context.newPage();
    await page.goto(url);
    return { page, context };
  }

  async dispose(): Promise<void> {
    await this.#browser?.close();
  }
}
