import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const SHELLS = ['bash', 'zsh', 'fish'].filter((name) => existsSync(`/usr/bin/${name}`) || existsSync(`/bin/${name}`));
const SECRET = 'hunter2';
/** Reads without echo and prints the length of the input. */
const SH = `read -rs pw; echo read ${'$'}{#pw}`;
const READ: Readonly<Record<string, string>> = {
  bash: SH,
  zsh: SH,
  fish: 'read -s pw; echo read (string length -- $pw)',
};

/** Delays from Return to the first key, and between keys. */
const delays = fc.sample(fc.record({ first: fc.integer({ min: 0, max: 500 }), next: fc.constantFrom(0, 5, 40) }), {
  numRuns: 3,
  seed: Number(process.env.HANSARD_SEED ?? 7),
});
const DELAYS = [{ first: 0, next: 0 }, ...delays];
const LETTERS = 'abcdefghij';
/** How long a program runs, and the pause before each letter, so that the letters come around its end. */
const ENDS = fc.sample(
  fc.record({
    isByKey: fc.boolean(),
    seconds: fc.constantFrom('0.1', '0.4', '0.6'),
    first: fc.integer({ min: 0, max: 400 }),
    pauses: fc.array(fc.constantFrom(0, 5, 20, 80), { minLength: LETTERS.length, maxLength: LETTERS.length }),
  }),
  { numRuns: Number(process.env.HANSARD_TYPED_ENDS ?? 6), seed: Number(process.env.HANSARD_SEED ?? 7) },
);

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('what is typed after Return', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  let win: TerminalWindow;

  beforeAll(async () => {
    await app.start();
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  async function type(text: string, { first, next }: { first: number; next: number }): Promise<void> {
    await win.page.waitForTimeout(first);
    await win.page.keyboard.type(text, { delay: next });
  }

  describe.each(SHELLS)('in %s', (shell) => {
    test('has a tab', async () => {
      await win.ready();
      const before = await win.tabs.count();
      await win.act(`New ${shell} tab`);
      await soon(() => win.tabs.count()).toBe(before + 1);
      await soon(() => win.page.getByRole('tab', { selected: true }).innerText()).toContain(shell);
      await win.ready();
      await win.run('echo ready');
    });

    test.each(DELAYS)('a password is the program’s and is shown nowhere, after %o', async (pause) => {
      await win.ready();
      await win.page.evaluate(() => {
        const seen: string[] = [];
        Object.assign(window, { seen });
        new MutationObserver(() => seen.push(document.body.innerText)).observe(document.body, {
          subtree: true,
          childList: true,
          characterData: true,
        });
        addEventListener(
          'input',
          ({ target }) =>
            seen.push(target instanceof HTMLTextAreaElement ? target.value : (target as Element).innerHTML),
          true,
        );
      });
      const line = `${READ[shell]} ${pause.first}`;
      await win.submit(line);
      await type(`${SECRET}\n`, pause);
      await soon(() => win.card(line).count()).toBe(1);
      await soon(() => win.lines(win.card(line))).toContain(`read ${SECRET.length} ${pause.first}`);
      await win.ready();
      const seen = await win.page.evaluate(() => (window as unknown as { seen: string[] }).seen);
      expect(seen.filter((text) => text.includes('hunter'))).toEqual([]);
      expect(await win.composer.inputValue()).toBe('');
    });

    test('a password typed for a command that does not exist is neither run nor shown unasked', async () => {
      await win.ready();
      const before = await win.cards.count();
      const held = win.page.getByRole('status').filter({ hasText: 'Typed ahead and not run' });
      for (const answer of ['Discard', 'Show']) {
        await win.submit(`sudoo ${answer}`);
        await win.page.keyboard.type(`${SECRET}\n`);
        await soon(() => held.innerText()).toContain(`${SECRET.length} characters`);
        await soon(() => win.name(win.card(`sudoo ${answer}`))).toContain('exit 127');
        expect(await win.page.locator('body').innerText()).not.toContain(SECRET);
        expect(await win.composer.inputValue()).toBe('');
        await held.getByRole('button', { name: answer }).click();
        await soon(() => held.count()).toBe(0);
        await win.ready();
        await soon(() => win.composer.inputValue()).toBe(answer === 'Show' ? SECRET : '');
      }
      await win.composer.fill('');
      expect(await win.cards.count()).toBe(before + 2);
    });

    test.each(DELAYS)('Ctrl+C interrupts, after %o', async ({ first }) => {
      await win.ready();
      const line = `sleep 60${first}`;
      await win.submit(line);
      await win.page.waitForTimeout(first);
      await win.page.keyboard.press('Control+c');
      await soon(() => win.card(line).count()).toBe(1);
      await soon(() => win.name(win.card(line))).toBe(`${line}, exit 130, interrupted`);
      await win.ready();
    });

    test.each(DELAYS)('Ctrl+Z stops, after %o', async ({ first }) => {
      await win.ready();
      await win.submit('sleep 601');
      await win.page.waitForTimeout(first);
      await win.page.keyboard.press('Control+z');
      await win.ready();
      const jobs = await win.run('jobs');
      await soon(async () => (await win.lines(jobs)).join('\n')).toMatch(/(stopped|suspended).*sleep 601/i);
      await win.run('kill %1; wait %1 2>/dev/null; true');
    });

    test.each(DELAYS)('a line runs next, whole and once, after %o', async (pause) => {
      await win.ready();
      const line = `echo typed ${pause.first} ${pause.next}`;
      await win.submit('sleep 0.3');
      await type(`${line}\n`, pause);
      await soon(() => win.card(line).count()).toBe(1);
      const next = win.card(line);
      await soon(() => win.name(next)).toBe(`${line}, exit 0`);
      await soon(() => win.lines(next)).toEqual([`typed ${pause.first} ${pause.next}`]);
      const names = await win.cards.getByRole('heading').allInnerTexts();
      expect(names.filter((name) => name.startsWith(line))).toHaveLength(1);
      await win.ready();
      expect(await win.composer.inputValue()).toBe('');
    });

    test.each(DELAYS)('↑, a change and Return run the line before again, after %o', async ({ first }) => {
      await win.ready();
      await win.submit(`echo ${shell} again ${first}`);
      await win.page.waitForTimeout(first);
      for (const key of ['ArrowUp', 'ArrowLeft', '9', 'Enter']) await win.page.keyboard.press(key);
      const changed = `echo ${shell} again ${first}`.replace(/.$/, '9$&');
      await soon(() => win.card(changed).count()).toBe(1);
      await soon(() => win.lines(win.card(changed))).toEqual([changed.slice('echo '.length)]);
      await win.ready();
      expect(await win.composer.inputValue()).toBe('');
    });

    test.each(ENDS)('each letter arrives once and in order in a slow window, around the end of %o', async (end) => {
      await win.ready();
      const throttle = await win.page.context().newCDPSession(win.page);
      await throttle.send('Emulation.setCPUThrottlingRate', { rate: 6 });
      try {
        const read = join(app.home, 'read');
        const cat = `timeout ${end.seconds} cat > ${read}`;
        await win.submit(end.isByKey ? `stty -icanon -echo; ${cat}; stty icanon echo` : cat);
        await win.page.waitForTimeout(end.first);
        for (const [at, pause] of end.pauses.entries()) {
          await win.page.waitForTimeout(pause);
          await win.page.keyboard.press(LETTERS.charAt(at));
        }
        await win.ready();
        await soon(async () => readFileSync(read, 'utf8') + (await win.composer.inputValue())).toBe(LETTERS);
      } finally {
        await throttle.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      }
      await win.composer.fill('');
    });

    test.each(DELAYS)('half a line stands in the composer when the command was short, after %o', async (pause) => {
      await win.ready();
      await win.submit('true');
      await type('echo half', pause);
      await win.ready();
      await soon(() => win.composer.inputValue()).toBe('echo half');
      await win.composer.fill('');
    });
  });
});
