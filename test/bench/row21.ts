import { ServedApp, TestBrowser } from '../support/WebApp.ts';
import { median, type Row } from './Figure.ts';

const MAX_MS = 700;
/** From going to the address in a browser that has nothing cached to a prompt that takes keys: the first time (a shell starts), then when its page is loaded again. */
export const row21: Row = async ({ browser: path, runs }, say) => {
  if (path === '') {
    say('no Chromium: skipped');
    return [];
  }
  const browser = new TestBrowser();
  const values = { first: [] as number[], again: [] as number[] };
  try {
    await (await browser.open('about:blank')).context.close(); // the browser itself starts before anything is measured
    for (let run = 0; run < runs; run++) await timeOnce(browser, values);
  } finally {
    await browser.dispose();
  }
  return Object.entries(values).map(([name, times]) => ({
    row: 21,
    work: name === 'first' ? 'URL to a prompt that takes keys, first start' : 'the same, page loaded again',
    value: median(times),
    unit: 'ms' as const,
    runs,
    against: null,
    ratio: null,
    target: `≤ ${MAX_MS} ms`,
    isMet: median(times) <= MAX_MS,
  }));
};

async function timeOnce(browser: TestBrowser, values: { first: number[]; again: number[] }): Promise<void> {
  const app = await new ServedApp().start();
  const { page, context } = await browser.open('about:blank');
  /** By the page's own clock, which starts with the navigation. What is typed into the field that has the focus then is the command. */
  const time = async (go: () => Promise<unknown>): Promise<number> => {
    await go();
    const isReady = () => document.activeElement?.closest('[data-keys="line"]') && performance.now();
    return Number(await (await page.waitForFunction(isReady, undefined, { polling: 'raf' })).jsonValue());
  };
  values.first.push(await time(() => page.goto(app.url, { waitUntil: 'commit' })));
  values.again.push(await time(() => page.reload({ waitUntil: 'commit' })));
  await context.close();
  await app.dispose();
}
