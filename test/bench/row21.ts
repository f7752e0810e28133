import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { ServedApp, TestBrowser } from '../support/WebApp.ts';
import { type Figure, median, type Row } from './Figure.ts';

const MAX_MS = 700;
/** Prefix of the time in the page's report. */
const READY = 'ready at ';
/** Pause for the pages that Chromium itself loads in a new window; a person's open window has loaded them. */
const BROWSER_RESTS_MS = 1_500;
/** The smallest comparable page: one field, which has the focus as soon as its script has run. */
const BARE_PAGE =
  '<!doctype html><body data-keys="line"><input><script type="module">document.querySelector("input").focus()</script>';

interface Times {
  first: number[];
  again: number[];
  bare: number[];
}

/**
 * Time from the navigation, in a browser with an empty cache, to a prompt that takes keys: at the first load (which starts a shell) and at a
 * reload. Each turn also loads a page with one field; on a busy machine, use the ratio.
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
    await (await browser.open('about:blank')).context.close(); // starts the browser before the first measurement
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
 * Milliseconds by the page's clock, which starts with the navigation, until the command's field has the focus. The page reports the time
 * itself, because a query by Playwright would load its 300 KB script during the start.
 */
async function timeOf(page: Page, go: () => Promise<unknown>): Promise<number> {
  const said = page.waitForEvent('console', { predicate: (line) => line.text().startsWith(READY), timeout: 60_000 });
  await go();
  return Number((await said).text().slice(READY.length));
}

/** Runs in the page before the page's own scripts. */
function reportReady(ready: string): void {
  const look = () => {
    if (document.activeElement?.closest('[data-keys="line"]')) console.debug(`${ready}${performance.now()}`);
    else requestAnimationFrame(look);
  };
  look();
}
