import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { SETTLED_MS } from '../../src-renderer/ui/touch/settledClicks.ts';
import { axeFaults } from '../support/axe.ts';
import { installDrawnAgent } from '../support/installDrawnAgent.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

const PAGE = '[data-keys="agents"]';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the page of all agents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-agents-'));
  const log = join(folder, 'answers');
  const served = new ServedWindow();
  let win: TerminalWindow;
  const press = (key: string) => win.page.keyboard.press(key);
  const answers = () => readFileSync(log, 'utf8').split('\n').filter(Boolean);
  const group = (name: keyof typeof strings.agents.groups) =>
    win.page.locator(PAGE).getByRole('heading', { name: strings.agents.groups[name] });
  const row = (title: string) => win.page.locator(PAGE).getByRole('article').filter({ hasText: title });
  /** Looks at what has just appeared, as a person does before a press. */
  const look = () => win.page.waitForTimeout(SETTLED_MS);
  const say = async (text: string) => {
    await win.page.keyboard.type(text);
    await press('Enter');
  };

  /** Opens another tab and sends `prompt` to its agent. */
  async function start(prompt: string): Promise<void> {
    await press('Control+Shift+T');
    await win.ready();
    await say(`${join(folder, 'bin', 'codex')} ${log}`);
    await soon(() => win.live.innerText()).toContain('Ask Codex to do anything');
    await say(prompt);
    await soon(() => win.live.innerText()).toContain(prompt);
  }

  beforeAll(async () => {
    installDrawnAgent(folder);
    writeFileSync(log, '');
    win = await served.start();
  });

  afterAll(async () => {
    await served.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('groups who waits and who works, and a number key answers the chosen question only', async () => {
    await win.ready();
    await start('ask 3');
    await start('work');
    await press('Control+Shift+A');
    await group('waiting').waitFor();
    await group('working').waitFor();
    await soon(() => win.focused()).toBe('agents');
    await soon(() => row('ask 3').innerText()).toContain('npm test part-0');
    await look();
    await press('2');
    await soon(answers).toEqual(['0 1']);
    await soon(() => row('ask 3').innerText()).toContain('npm test part-1');
  });

  test('the title of the page, the tab and the button of this page say that one agent waits', async () => {
    await soon(() => win.page.title()).toMatch(/^\(1\) /);
    await win.page.getByRole('button', { name: strings.agents.button(1, 2), exact: true }).waitFor();
    const waits = win.page.getByRole('tab', { name: /ask 3|codex/ }).filter({ has: win.page.locator('.waits') });
    await soon(() => waits.count()).toBe(1);
  });

  test('a row names its agent and folder, and its dot says by what its state is known', async () => {
    await soon(() => row('ask 3').locator('.facts').innerText()).toMatch(/^Codex.* · /);
    await soon(() => row('ask 3').locator('.mark').getAttribute('title')).toMatch(/^State .*\S/);
    expect(await row('work').locator('.mark').getAttribute('title')).toMatch(/^State .*\S/);
  });

  test('a click answers too, and the record says what was chosen and by whom', async () => {
    await look();
    await row('ask 3').getByRole('button', { name: "Yes, and don't ask again" }).click();
    await soon(answers).toEqual(['0 1', '1 1']);
    await soon(() => win.page.locator('[data-chat]').innerText()).toContain("Yes, and don't ask again");
  });

  test('has no faults that axe finds, in both themes', async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await win.page.emulateMedia({ colorScheme });
      expect(await axeFaults(win.page, PAGE)).toEqual([]);
    }
  });

  test('the person names a conversation, and an empty name gives its first prompt back', async () => {
    const rename = async (name: string) => {
      await win.act(strings.conversation.actions.name);
      await win.page.getByRole('textbox', { name: strings.conversation.nameField }).fill(name);
      await press('Enter');
      await soon(() => win.focused()).toBe('agents');
    };
    await row('ask 3').getByRole('button').first().click();
    await rename('  Run the tests\n');
    await soon(() => row('Run the tests').count()).toBe(1);
    await soon(() => win.page.locator('[data-chat] h2').innerText()).toBe('Run the tests');
    await rename('');
    await soon(() => row('ask 3').count()).toBe(1);
  });

  test('a reply to an agent at work waits, can be taken back, and is sent when its turn is interrupted', async () => {
    await row('work').getByRole('button').first().click();
    await press('r');
    await win.page.keyboard.type('then write a note');
    await press('Enter');
    const waiting = win.page.getByRole('list', { name: strings.agents.reply.list });
    await soon(() => waiting.innerText()).toContain(strings.agents.reply.reasons.turn);
    expect(await waiting.getByRole('listitem').first().innerText()).toMatch(/^1\s/);
    await waiting.getByRole('button', { name: strings.agents.reply.cancel }).click();
    await soon(() => win.page.locator('#agent-reply').inputValue()).toBe('then write a note');
    await row('ask 3').getByRole('button').first().click();
    await row('work').getByRole('button').first().click();
    await soon(() => win.page.locator('#agent-reply').inputValue()).toBe('then write a note');
    await win.page.locator('#agent-reply').press('Enter');
    await soon(() => waiting.count()).toBe(1);
    await win.page.locator('#agent-reply').press('Escape');
    await soon(() => win.focused()).toBe('agents');
    await press('x');
    await group('ready').waitFor();
    await soon(() => row('work').innerText()).toContain('then write a note');
  });

  test('what is older is a click away in History, and so is the way back', async () => {
    const { label, now, history } = strings.agents.pages;
    const choose = (page: string) =>
      win.page.getByRole('group', { name: label }).getByText(page, { exact: true }).click();
    await choose(history);
    await win.page.getByRole('heading', { name: strings.history.title }).waitFor();
    expect(await win.page.locator(PAGE).count()).toBe(0);
    await choose(now);
    await row('ask 3').waitFor();
    await soon(() => win.focused()).toBe('agents');
  });

  test('typed keys never reach the terminal below it, and Enter opens the terminal of the chosen agent', async () => {
    await win.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await win.page.keyboard.type('zq');
    await soon(() => win.focused()).toBe('agents');
    await press('n');
    await soon(() => row('ask 3').getByRole('button').first().getAttribute('aria-current')).toBe('true');
    await press('Enter');
    await soon(() => win.page.locator(PAGE).count()).toBe(0);
    await soon(() => win.live.innerText()).toContain('npm test part-2');
    expect(await win.live.innerText()).not.toContain('zq');
    await press('3');
    await soon(answers).toEqual(['0 1', '1 1', '2 2']);
  });

  test('a click that meets a question which was pushed under the pointer answers nothing, and the row says so', async () => {
    await start('ask 1');
    await start('ask 2');
    await press('Control+Shift+A');
    const proceed = (title: string) => row(title).getByRole('button', { name: 'Yes, proceed' });
    await proceed('ask 2').waitFor();
    const place = await proceed('ask 1').boundingBox();
    if (!place) throw new Error('the first question is not drawn');
    const click = () => win.page.mouse.click(place.x + place.width / 2, place.y + place.height / 2);
    await look();
    await click();
    await win.page.waitForFunction(
      ([title, topPx]) => {
        const rows = [...document.querySelectorAll('[data-keys="agents"] article')];
        const buttons = rows
          .find(({ textContent }) => textContent?.includes(title))
          ?.querySelectorAll('.options button');
        return buttons?.[0] && Math.abs(buttons[0].getBoundingClientRect().top - topPx) < 2;
      },
      ['ask 2', place.y] as const,
    );
    await click();
    await soon(() => row('ask 2').getByRole('status').innerText()).toBe(strings.agents.early);
    expect(answers().slice(3)).toEqual(['0 0']);
    await look();
    await click();
    await soon(() => answers().slice(3)).toEqual(['0 0', '0 0']);
  });

  test('the chosen row keeps the keys when its agent changes its state, and so does a page without focus', async () => {
    await row('then write a note').getByRole('button').first().click();
    await press('r');
    await win.page.keyboard.type('work');
    await press('Enter');
    await press('Escape');
    await soon(() => win.focused()).toBe('agents');
    await group('working').waitFor();
    await soon(() => win.focused()).toBe('agents');
    await win.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await press('r');
    await win.page.keyboard.type('run it');
    expect(await win.page.locator('#agent-reply').inputValue()).toBe('run it');
    await win.page.locator('#agent-reply').fill('');
    await press('Escape');
  });

  test('a click that meets a question which came under the pointer as the scrolled list got shorter answers nothing', async () => {
    await press('Escape');
    await start('ask 4');
    await start('ask 1 10');
    await press('Control+Shift+A');
    await win.page.setViewportSize({ width: 1280, height: 900 });
    const before = answers().length;
    const proceed = (title: string) => row(title).getByRole('button', { name: 'Yes, proceed' });
    await proceed('ask 1 10').waitFor();
    await look();
    await win.page.mouse.move(300, 250);
    await win.page.mouse.wheel(0, 5_000);
    await look(); // the wheel's movement is animated
    await look();
    const place = await proceed('ask 4').boundingBox();
    if (!place) throw new Error('the question is not drawn');
    await proceed('ask 1 10').click();
    const moved = await win.page.waitForFunction(
      ([title, topPx]) => {
        const rows = [...document.querySelectorAll('[data-keys="agents"] article')];
        const button = rows.find(({ textContent }) => textContent?.includes(title))?.querySelector('.options button');
        const now = button?.getBoundingClientRect();
        return now && Math.abs(now.top - topPx) > 2 && { x: now.x, y: now.y };
      },
      ['ask 4', place.y] as const,
    );
    const at = (await moved.jsonValue()) as { x: number; y: number };
    await win.page.mouse.click(at.x + 20, at.y + 8);
    await soon(() => row('ask 4').getByRole('status').innerText()).toBe(strings.agents.early);
    expect(answers().slice(before)).toEqual(['0 0']);
  });

  test('keys that continue a text whose field has just gone act on no agent', async () => {
    await press('Escape');
    await start('ask 5');
    await press('Control+Shift+A');
    await row('ask 5').getByRole('button').first().click();
    await look();
    const before = answers().length;
    const why = row('ask 5').getByRole('textbox');
    await row('ask 5').getByRole('button', { name: strings.agents.question.sayWhy }).click();
    await why.waitFor();
    await win.page.keyboard.type('because');
    // the question is answered elsewhere, as the focus stays in the field
    await row('ask 5')
      .getByRole('button', { name: 'Yes, proceed' })
      .evaluate((button: HTMLElement) => button.click());
    await why.waitFor({ state: 'detached' });
    await win.page.keyboard.type('we have 1 or 2', { delay: SETTLED_MS / 2 });
    await soon(() => row('ask 5').getByRole('status').innerText()).toBe(strings.agents.early);
    expect(await win.focused()).toBe('agents');
    expect(answers().slice(before)).toEqual(['0 0']);
  });
});
