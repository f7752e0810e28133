import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { PaneTree } from '../../src-main/contract/panes.ts';
import { ServedApp, TestBrowser } from '../support/WebApp.ts';
import type { Figure, Row } from './Figure.ts';
import { longTasks } from './longTasks.ts';
import { writePayload } from './payloads.ts';
import { scrollList } from './scrollList.ts';
import { writeTerminal, writeWorkspace } from './writeRecord.ts';

/** 10,000 cards at `--mb 100`. */
const CARDS_PER_MB = 100;
/** Limit for a page that draws only the visible cards, for any number of cards. */
const MAX_NODES = 10_000;
/** Three screens per frame, faster than a hand on a wheel. */
const STEP_PX = 2_400;
const LIST = ':has(> [data-column])';
const FLOOD_TIMEOUT_MS = 300_000;

interface Kept {
  longestMs: number;
  /** Number of tasks of 50 ms and more. */
  long: number;
  nodes: number;
}

interface Watched extends Kept {
  /** CPU time of one task, without its waits for a processor. */
  longestCpuMs: number;
}

/**
 * The built window in Chromium: 10,000 cards scrolled to the first and back, then a flood in the live card. One run each, because the
 * longest task is the maximum over many frames. The browser reports tasks from 50 ms; 0 means that there was none. The row also gives
 * the CPU time of the longest task, which other programs do not lengthen.
 */
export const row9: Row = async ({ browser: path, folder, megabytes }, say) => {
  if (path === '') {
    say('no Chromium: skipped');
    return [];
  }
  const home = join(folder, 'cards');
  const cards = megabytes * CARDS_PER_MB;
  writeTerminal(home, { id: 'tcards', blocks: cards, linesOf: (seq) => (seq % 100 < 7 ? 400 : seq % 12) });
  writeWorkspace(home, ['tcards']);
  const browser = new TestBrowser();
  const app = await new ServedApp({ home }).start();
  try {
    const page = await openWatched(browser, app, 1);
    say('scrolling');
    const scrolled = await watched(page, () => thereAndBack(page, 0, say));
    say('firehose in the live card');
    const { path: payload } = writePayload(folder, 'log lines', megabytes);
    const flooded = await watched(page, () => flood(page, payload));
    say(`tasks of 50 ms and more: ${scrolled.long} while scrolling, ${flooded.long} in the firehose`);
    await page.close();
    const split = await inFourPanes(browser, { home: join(folder, 'panes'), cards }, say);
    return [...figures(cards, scrolled, flooded), ...split];
  } finally {
    await browser.dispose();
    await app.dispose();
  }
};

/** The same number of cards in each of four panes of one tab; scrolls pane after pane to its first card and back. */
async function inFourPanes(
  browser: TestBrowser,
  { home, cards }: { home: string; cards: number },
  say: (text: string) => void,
): Promise<Figure[]> {
  const ids = ['tpane1', 'tpane2', 'tpane3', 'tpane4'];
  for (const id of ids) writeTerminal(home, { id, blocks: cards, linesOf: (seq) => seq % 12 });
  const leaves = ids.map((terminalId): PaneTree => ({ kind: 'leaf', terminalId }));
  const row = (children: PaneTree[]): PaneTree => ({ kind: 'split', direction: 'right', sizes: [50, 50], children });
  const panes: PaneTree = {
    kind: 'split',
    direction: 'down',
    sizes: [50, 50],
    children: [row(leaves.slice(0, 2)), row(leaves.slice(2))],
  };
  writeWorkspace(home, ids, [panes]);
  const app = await new ServedApp({ home }).start();
  try {
    const page = await openWatched(browser, app, ids.length);
    say('scrolling in four panes');
    const scrolled = await watched(page, async () => {
      for (let pane = 0; pane < ids.length; pane++) await thereAndBack(page, pane, say);
    });
    say(`tasks of 50 ms and more: ${scrolled.long}`);
    return [
      task(`longest task, ${cards} cards in each of four panes scrolled`, scrolled.longestMs, 50),
      { work: '  … CPU time of the longest in four panes', ...cpu(scrolled.longestCpuMs) },
    ];
  } finally {
    await app.dispose();
  }
}

/** Opens the window of `app`, waits for the last cards of its panes, and starts `watch`. */
async function openWatched(browser: TestBrowser, app: ServedApp, panes: number): Promise<Page> {
  const { page } = await browser.open(app.url);
  for (let pane = 0; pane < panes; pane++) await page.locator(LIST).nth(pane).getByRole('heading').last().waitFor();
  await watch(page);
  return page;
}

/** Scrolls the list of a pane to its first card and back to its last. */
async function thereAndBack(page: Page, pane: number, say: (text: string) => void): Promise<void> {
  await scrollList(page, LIST, -STEP_PX, pane);
  const first = await page.locator(LIST).nth(pane).getByRole('listitem').first().innerText();
  if (!/part-1\b/.test(first)) say(`the first card was not reached but "${first.slice(0, 60)}"`);
  await scrollList(page, LIST, STEP_PX, pane);
}

const BASE = { row: 9, runs: 1, against: null, ratio: null };

function task(work: string, value: number, limitMs: number): Figure {
  return {
    ...BASE,
    work,
    value,
    unit: 'ms',
    target: `${limitMs === 50 ? '≤' : '<'} ${limitMs} ms`,
    isMet: limitMs === 50 ? value <= limitMs : value < limitMs,
  };
}

function cpu(value: number): Omit<Figure, 'work'> {
  return { ...BASE, value, unit: 'ms', target: '', isMet: null };
}

function figures(cards: number, scrolled: Watched, flooded: Watched): Figure[] {
  const nodes = (work: string, value: number): Figure => ({
    ...BASE,
    work,
    value,
    unit: 'nodes',
    target: `bounded (${MAX_NODES})`,
    isMet: value <= MAX_NODES,
  });
  return [
    task(`longest task, ${cards} cards scrolled`, scrolled.longestMs, 50),
    { work: '  … CPU time of the longest while scrolling', ...cpu(scrolled.longestCpuMs) },
    nodes('most DOM nodes while scrolling', scrolled.nodes),
    task('longest task, firehose in the live card', flooded.longestMs, 100),
    { work: '  … CPU time of the longest in the firehose', ...cpu(flooded.longestCpuMs) },
    nodes('most DOM nodes in the firehose', flooded.nodes),
  ];
}

/** Makes the page keep its longest task and its greatest number of nodes. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const kept = { longestMs: 0, long: 0, nodes: 0 };
    Object.assign(globalThis, { benchKept: kept });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        kept.longestMs = Math.max(kept.longestMs, duration);
        kept.long++;
      }
    }).observe({ type: 'longtask' });
    setInterval(() => {
      kept.nodes = Math.max(kept.nodes, document.getElementsByTagName('*').length);
    }, 200);
  });
}

/** The page's tasks and nodes during `work`. */
async function watched(page: Page, work: () => Promise<void>): Promise<Watched> {
  const tasks = await longTasks(page, work);
  const kept = await page.evaluate(() => {
    const { benchKept } = globalThis as unknown as { benchKept: Kept };
    const seen = { ...benchKept };
    Object.assign(benchKept, { longestMs: 0, long: 0, nodes: 0 });
    return seen;
  });
  return { ...kept, longestCpuMs: tasks.reduce((most, ms) => Math.max(most, ms), 0) };
}

async function flood(page: Page, payload: string): Promise<void> {
  await page.locator('[data-keys="line"] .cm-content').fill(`cat ${payload}`);
  await page.keyboard.press('Enter');
  const ended = page.getByRole('heading').filter({ hasText: payload }).filter({ hasText: 'exit 0' });
  await ended.last().waitFor({ state: 'attached', timeout: FLOOD_TIMEOUT_MS });
}
