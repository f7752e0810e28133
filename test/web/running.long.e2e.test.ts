import { existsSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('commands while they run and when they have ended', () => {
  const served = new ServedWindow();
  let win: TerminalWindow;

  beforeAll(async () => {
    win = await served.start();
  });

  afterAll(async () => {
    await served.dispose();
  });

  beforeEach(() => win?.interruptLeftovers());

  test.each([
    ['true', 'exit 0', 'ok', ''],
    ['(exit 3)', 'exit 3', 'failed', 'exit 3'],
    ['no-such-program-here', 'exit 127, not found', 'failed', '127 not found'],
    ['bash -c "kill -KILL \\$\\$"', 'exit 137, killed', 'failed', '137 killed'],
    ['(exit 141)', 'exit 141, pipe closed', 'neutral', '141 pipe closed'],
    ['(exit 148)', 'exit 148, stopped', 'neutral', '148 stopped'],
  ])('%s ends with its meaning in words', async (command, said, tone, badge) => {
    const card = await win.run(command);
    expect(await win.name(card)).toBe(`${command}, ${said}`);
    expect((await card.getAttribute('class'))?.split(' ')).toContain(tone);
    expect(await card.locator('.badge').allInnerTexts()).toEqual(badge === '' ? [] : [badge]);
  });

  test('output grows in the running card, in its colours, and only its own rows are shown', async () => {
    await win.run('echo before all this');
    const card = await win.start('for i in 1 2 3; do printf "\\e[31mline $i\\e[0m\\n"; read -r; done');
    await soon(() => win.liveRows()).toEqual(['line 1']);
    await soon(() => win.name(card)).toContain(', running');
    const red = await win.page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--red'));
    const drawn = win.live.locator('.xterm-rows span').filter({ hasText: 'line 1' });
    const asRgb = (colour: string) =>
      win.page.evaluate((value) => {
        const probe = document.createElement('i');
        probe.style.color = value;
        document.body.append(probe);
        const { color } = getComputedStyle(probe);
        probe.remove();
        return color;
      }, colour);
    const wanted = await asRgb(red);
    await soon(() => drawn.evaluate((span) => getComputedStyle(span).color)).toBe(wanted); // polled, because a redrawn row has no colour at first
    await win.page.keyboard.press('Enter');
    await soon(() => win.liveRows()).toEqual(['line 1', '', 'line 2']);
    await win.page.keyboard.press('Enter');
    await soon(() => win.liveRows()).toEqual(['line 1', '', 'line 2', '', 'line 3']);
    await win.page.keyboard.press('Enter');
    await soon(() => win.lines(card)).toEqual(['line 1', '', 'line 2', '', 'line 3', '']);
    const kept = card.locator('.line span').first();
    await soon(() => kept.evaluate((span) => getComputedStyle(span).color)).toBe(wanted);
    expect(await card.locator('.live-host').count()).toBe(0);
  });

  test('Ctrl+C ends what runs, and that is nobody’s failure', async () => {
    const card = await win.start('sleep 600');
    await win.page.keyboard.press('Control+c');
    await soon(() => win.name(card)).toBe('sleep 600, exit 130, interrupted');
    expect((await card.getAttribute('class'))?.split(' ')).toContain('neutral');
    await win.ready();
  });

  test('the keys are for the composer again after a sheet, during which a command has ended', async () => {
    const card = await win.start('sleep 2');
    await win.page.keyboard.press('Control+Shift+P');
    await win.dialog.waitFor();
    await soon(() => win.name(card)).toBe('sleep 2, exit 0');
    await win.page.keyboard.press('Escape');
    await win.dialog.waitFor({ state: 'detached' });
    await win.ready();
    await win.page.keyboard.type('typed');
    await soon(() => win.composer.inputValue()).toBe('typed');
    await win.composer.fill('');
  });

  test('a program that asks is answered by keyboard', async () => {
    const card = await win.start('read -p "Name? " who; echo "Hello, $who."');
    await soon(() => win.liveRows()).toEqual(['Name?']);
    await win.page.keyboard.type('Ada');
    await soon(() => win.liveRows()).toEqual(['Name? Ada']);
    await win.page.keyboard.press('Enter');
    await soon(() => win.lines(card)).toEqual(['Name? Ada', 'Hello, Ada.']);
    await win.ready();
  });

  test('a command of several lines is one card, clamped to two lines', async () => {
    const command = 'for word in one two; do\n  echo "$word"\ndone';
    const card = await win.run(command);
    await soon(() => win.lines(card)).toEqual(['one', 'two']);
    const heading = card.getByRole('heading');
    expect(await heading.innerText()).toMatch(/^for word in one two; do\s+echo "\$word"\s*\+ 1 line/);
    await card.getByRole('button', { name: '+ 1 line' }).click();
    await soon(() => heading.innerText()).toContain(command);
    await card.getByRole('button', { name: 'Show less of command' }).click();
    await soon(() => heading.innerText()).not.toContain('done');
  });

  test('a background job that prints at the prompt has a card of its own', async () => {
    const card = await win.run('(read -r < <(sleep 0.6); echo from behind) &');
    await soon(() => win.card('Background output').innerText()).toContain('from behind');
    expect(await win.card('Background output').getAttribute('class')).toContain('background');
    expect(await win.name(card)).toContain('exit 0');
    const after = await win.run('echo in front');
    await soon(() => win.lines(after)).toEqual(['in front']);
  });

  test('a shell within the shell is one card until it ends', async () => {
    const before = await win.cards.count();
    const card = await win.start('bash --norc');
    await win.page.keyboard.type('echo $((40 + 2))\n');
    await soon(async () => (await win.liveRows()).join('\n')).toMatch(/^42$/m);
    expect(await win.cards.count()).toBe(before + 1);
    await win.page.keyboard.type('exit 0\n');
    await soon(() => win.name(card)).toContain(', exit 0');
    expect(await win.cards.count()).toBe(before + 1);
    await soon(() => card.locator('.body').innerText()).toContain('42');
  });

  test('what is wider than the window goes on in the next row, and is one line when it has ended', async () => {
    const card = await win.run('printf "%0300d\\n" 7');
    await soon(() => win.lines(card)).toEqual([`${'0'.repeat(299)}7`]);
  });
});
