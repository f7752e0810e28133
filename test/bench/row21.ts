import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { ServedApp, TestBrowser } from '../support/WebApp.ts';
import { type Figure, median, type Row } from './Figure.ts';

const MAX_MS = 700;
/** Before the time in the page's report. */
const READY = 'ready at ';
/** A new window of Chromium loads pages of its own, which nobody who opens an address waits for. */
const BROWSER_RESTS_MS = 1_500;
/** What a page costs that does nothing: one field, which takes keys as soon as its script has run. */
const BARE_PAGE =
  '<!doctype html><body data-keys="line"><input><script type="module">document.querySelector("input").focus()</script>';

interface Times {
  first: number[];
  again: number[];
  bare: number[];
}

/**
 * From going to the address in a browser that has nothing cached to a prompt that takes keys: the first time (a shell starts), then when
 * its page is loaded again. Each beside a page with one field, in the same turn: the ratio counts where the machine is not quiet.
 */
export const row21: Row = async ({ browser: path, runs }, say) => {
  if (path === '') {
    say('no Chromium: skipped');
    return [];
  }
  const browser = new TestBrowser();
  const bare = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(BARE_PAGE));
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
  const times: Times = { first: [], again: [], bare: [] };
  try {
    await (await browser.open('about:blank')).context.close(); // the browser itself starts before anything is measured
    for (let run = 0; run < runs; run++) await timeOnce(browser, bareUrl, times);
  } finally {
    await browser.dispose();
    bare.close();
  }
  return [
    figure('URL to a prompt that takes keys, first start', times.first, times.bare),
    figure('the same, page loaded again', times.again, times.bare),
  ];
};

function figure(work: string, values: readonly number[], bare: readonly number[]): Figure {
  const [value, theirs] = [median(values), median(bare)];
  return {
    row: 21,
    work,
    value,
    unit: 'ms',
    runs: values.length,
    against: { name: 'a page with one field', value: theirs },
    ratio: value / theirs,
    target: `≤ ${MAX_MS} ms`,
    isMet: value <= MAX_MS,
  };
}

async function timeOnce(browser: TestBrowser, bareUrl: string, times: Times): Promise<void> {
  const app = await new ServedApp().start();
  const { page, context } = await browser.open('about:blank');
  await page.addInitScript(reportReady, READY);
  await pause(BROWSER_RESTS_MS);
  times.bare.push(await timeOf(page, () => page.goto(bareUrl, { waitUntil: 'commit' })));
  times.first.push(await timeOf(page, () => page.goto(app.url, { waitUntil: 'commit' })));
  times.again.push(await timeOf(page, () => page.reload({ waitUntil: 'commit' })));
  await context.close();
  await app.dispose();
}

/**
 * By the page's own clock, which starts with the navigation. What is typed into the field that has the focus then is the command. The page reports
 * it itself: a question to it would load the 300 KB of Playwright's own script in the middle of the start.
 */
async function timeOf(page: Page, go: () => Promise<unknown>): Promise<number> {
  const said = page.waitForEvent('console', { predicate: (line) => line.text().startsWith(READY), timeout: 60_000 });
  await go();
  return Number((await said).text().slice(READY.length));
}

/** Runs in the page before its own scripts. */
function reportReady(ready: string): void {
  const look = () => {
    if (document.activeElement?.closest('[data-keys="line"]')) console.debug(`${ready}${performance.now()}`);
    else requestAnimationFrame(look);
  };
  look();
}
