import { chmodSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { ChatLine } from '../../src-main/contract/chat/chat.ts';
import { ChatWriter, writeChat } from '../support/chatRecords.ts';
import { ServedApp, TestBrowser } from '../support/WebApp.ts';
import { type Figure, median, quantile, type Row } from './Figure.ts';
import { longTasks } from './longTasks.ts';
import { scrollList } from './scrollList.ts';
import { writeTerminal, writeWorkspace } from './writeRecord.ts';

const MESSAGES = 2_000;
/** A screen and a half per frame, as fast as a flicked wheel. */
const STEP_PX = 1_200;
const LIST = '[data-chat] .scroller';
const LINES = 50;
const EVERY_MS = 120;

/**
 * The conversation beside the terminal, in Chromium: the CPU time of the page's tasks while 2,000 messages scroll to the first and back
 * (CPU time, because other programs do not lengthen it), and the time from a streaming agent's write of a line to the window.
 */
export const row13: Row = async ({ browser: path, folder, runs }, say) => {
  if (path === '') {
    say('no Chromium: skipped');
    return [];
  }
  const longest: number[] = [];
  const long: number[] = [];
  const late: number[] = [];
  const browser = new TestBrowser();
  try {
    for (let run = 0; run < runs; run++) {
      const tasks = await scrolled(browser, join(folder, `chat-${run}`));
      longest.push(Math.max(0, ...tasks));
      long.push(tasks.filter((ms) => ms >= 50).length);
      late.push(...(await streamed(browser, join(folder, `agent-${run}`))));
      say(`run ${run + 1}: longest task ${longest.at(-1)?.toFixed(0)} ms, ${long.at(-1)} of 50 ms and more`);
    }
  } finally {
    await browser.dispose();
  }
  const base = { row: 13, runs, against: null, ratio: null, unit: 'ms' } as const;
  const limited = (work: string, value: number, limitMs: number): Figure => ({
    ...base,
    work,
    value,
    target: `≤ ${limitMs} ms`,
    isMet: value <= limitMs,
  });
  return [
    limited(`longest task (CPU), ${MESSAGES} messages scrolled, median`, median(longest), 50),
    limited('the same, the worst run', Math.max(...longest), 50),
    limited('an agent’s line from its write to the window, median', median(late), 300),
    limited('the same, p99', quantile(late, 0.99), 300),
  ];
};

/** CPU milliseconds of the page's tasks while a whole conversation scrolls by. */
async function scrolled(browser: TestBrowser, home: string): Promise<number[]> {
  writeTerminal(home, { id: 'talk', blocks: 1, linesOf: () => 3 });
  writeWorkspace(home, ['talk']);
  writeChat(home, 'talk', longTalk());
  const app = await new ServedApp({ home }).start();
  try {
    const { page } = await browser.open(app.url);
    await page.locator('[data-chat] li.said').first().waitFor();
    const tasks = await longTasks(page, async () => {
      await scrollList(page, LIST, -STEP_PX);
      await scrollList(page, LIST, STEP_PX);
    });
    await page.context().close();
    return tasks;
  } finally {
    await app.dispose();
  }
}

/** A day's conversation: questions, Markdown of every kind, listings, tool calls and their results. */
export function longTalk(messages = MESSAGES): ChatLine[] {
  const talk = new ChatWriter('talk', 'c1', { atMs: Date.now() - 86_400_000 });
  talk.event('cli:newSession', { agent: 'generic' });
  while (talk.lines.length < messages) {
    const n = talk.lines.length;
    talk.say(
      'user',
      `Question ${n}: why does the berth test fail at **low** tide, and what did src/part-${n % 97}.ts do?`,
    );
    talk.say('model', paragraphs(n));
    talk.say('toolCall', `Run(npm test ${n})`, {
      tool: { name: 'Run', input: `npm test -- part-${n}`, status: 'done' },
    });
    talk.say('toolResult', Array.from({ length: 20 }, (_, at) => `ok ${n}.${at} berths at low tide`).join('\n'));
    talk.say('model', listing(n));
  }
  return talk.lines;
}

function paragraphs(n: number): string {
  const sentence = `At *mean* water ${n} it passes; the sill is at \`${n}.5\` and the [chart](https://example.com/${n}) says otherwise. `;
  const list = Array.from({ length: 8 }, (_, at) => `${at + 1}. step ${at} of **${n}**, with \`code\``).join('\n');
  return `## Part ${n}\n\n${sentence.repeat(6)}\n\n${list}\n\n> ${sentence}\n\n| tide | depth |\n|---|---|\n| low | ${n} |\n| high | ${n + 4} |\n\n${sentence.repeat(3)}`;
}

function listing(n: number): string {
  const code = Array.from(
    { length: 10 + (n % 60) },
    (_, at) => `  const depth${at} = berths.find(({ sill }) => sill > ${at * n}); // low tide, "part ${at}"`,
  );
  return `Changed as follows:\n\n\`\`\`ts\nexport function part${n}(berths: readonly Berth[]): number {\n${code.join('\n')}\n  return depth0 ?? 0;\n}\n\`\`\`\n\nThat is all.`;
}

/** Milliseconds from each line's write to the first frame that has it. */
export async function streamed(browser: TestBrowser, home: string): Promise<number[]> {
  const bin = join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  const program = join(bin, 'codex');
  copyFileSync(new URL('streamingAgent.mjs', import.meta.url), program);
  chmodSync(program, 0o755);
  const times = join(home, 'times.txt');
  const app = await new ServedApp({ home }).start();
  try {
    const { page } = await browser.open(app.url);
    await page.locator('[data-keys="line"] .cm-content').fill(`${program} ${LINES} ${EVERY_MS} ${times}`);
    await watchMarks(page);
    await page.keyboard.press('Enter');
    await page.waitForFunction((last) => Reflect.get(globalThis, 'benchSeen').has(last), LINES, { timeout: 60_000 });
    const seen = new Map(await page.evaluate(() => [...(Reflect.get(globalThis, 'benchSeen') as Map<number, number>)]));
    await page.context().close();
    const written = readFileSync(times, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
    return written.map(([n = 0, atMs = 0]) => (seen.get(n) ?? Number.NaN) - atMs);
  } finally {
    await app.dispose();
  }
}

/** Makes the page note the time of the first frame with each line's mark. */
function watchMarks(page: Page): Promise<void> {
  return page.evaluate(() => {
    const seen = new Map<number, number>();
    Object.assign(globalThis, { benchSeen: seen });
    const look = () => {
      const text = document.querySelector('[data-chat]')?.textContent ?? '';
      for (const [, n] of text.matchAll(/mark M(\d{3})\./g)) if (!seen.has(Number(n))) seen.set(Number(n), Date.now());
    };
    new MutationObserver(() => requestAnimationFrame(look)).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
}
