import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { aMachine } from '../support/aMachine.ts';
import { PretendMachines } from '../support/PretendMachines.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const words = strings.machines;
const quay = (change = {}) => aMachine({ key: 'quay01', name: 'quay', ...change });
const LOST = { state: 'lost', reason: 'The network is down.', latencyMs: null } as const;

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('other machines', () => {
  const app = new ServedApp();
  const browser = new TestBrowser();
  const pretend = new PretendMachines();
  let win: TerminalWindow;

  beforeAll(async () => {
    await app.start();
    const { page } = await browser.open('about:blank');
    await pretend.attach(page);
    await page.goto(app.url);
    win = new TerminalWindow(page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
  });

  const head = (key: string) => win.page.locator(`[data-machine="${key}"]`);
  const cut = () => win.page.locator('[data-cut]');
  const asked = (path: string) => pretend.calls.filter(([called]) => called === path).map(([, input]) => input);

  test('one is chosen by keys, asks for a password that is not shown, and opens a terminal', async () => {
    await win.ready();
    pretend.answers['machine.choices'] = () => [
      { name: 'pier', hostName: 'pier.example' },
      { name: 'quay', hostName: null },
    ];
    pretend.answers['machine.connect'] = () => {
      const question = { id: 'q1', kind: 'secret', text: 'ada@quay’s password:' } as const;
      pretend.show(quay({ state: 'connecting', step: { words: 'ssh', percent: null }, question, info: null }));
      return { ok: true, key: 'quay01' };
    };
    pretend.answers['machine.answer'] = () => {
      pretend.show(quay({ state: 'connecting', step: { words: 'setup', percent: 34 }, info: null }));
      return true;
    };
    await win.act(words.actions.connect);
    await win.page.getByRole('option', { name: 'pier' }).waitFor();
    await win.page.keyboard.type('qua');
    await soon(() => win.page.getByRole('option').allInnerTexts()).toEqual(['quay', 'Connect to qua']);
    await win.page.keyboard.press('Enter');
    const field = win.dialog.locator('input[type=password]');
    await soon(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await field.getAttribute('autocomplete')).toBe('off');
    await win.page.keyboard.type('secret');
    await win.page.keyboard.press('Enter');
    const progress = win.dialog.getByRole('progressbar', { name: words.steps.setup });
    await soon(() => progress.getAttribute('value')).toBe('34');
    pretend.show(quay({ state: 'connecting', step: { words: 'setup', percent: null }, info: null }));
    await soon(() => progress.count()).toBe(0);
    expect(await win.dialog.innerText()).not.toContain('%');
    expect(asked('machine.connect')).toEqual([{ name: 'quay' }]);
    expect(asked('machine.answer')).toEqual([{ key: 'quay01', questionId: 'q1', answer: 'secret' }]);
    pretend.show(quay());
    await win.dialog.waitFor({ state: 'detached' });
    await soon(() => win.tabs.count()).toBe(2);
    await win.ready();
    await head('quay01').getByText('12 ms').waitFor();
    await soon(() => win.page.title()).toMatch(/quay:/);
  });

  test('of a lost one the keys are refused and the draft, the size and the focus stay', async () => {
    await win.run('echo before; stty size');
    await win.composer.pressSequentially('echo after');
    const size = await win.lines(win.card('echo before'));
    pretend.show(quay({ ...LOST, retryMs: Date.now() + 60_000 }));
    await cut().waitFor();
    await soon(() => cut().innerText()).toMatch(
      /Connection to quay lost\. Keys are not sent\.\s*Reconnecting in \d+ s/,
    );
    await win.page.keyboard.press('Enter');
    await win.page.getByText(`${strings.composer.sendFailed}: ${words.lost.noConnection('quay')}`).waitFor();
    await soon(() => win.composer.inputValue()).toBe('echo after');
    await soon(() => win.focused()).toBe('line');
    pretend.show(quay());
    await cut().waitFor({ state: 'detached' });
    await soon(() => win.focused()).toBe('line');
    await win.page.keyboard.press('Enter');
    await win.card('echo after').waitFor();
    await win.run('stty size');
    await soon(() => win.lines(win.card('stty size').last())).toEqual(size.slice(1));
  });

  test('a line that could not be sent is selected, and a line typed over it or behind it is not joined to it', async () => {
    const held = win.page.getByRole('status').filter({ hasText: strings.composer.held(strings.counts.characters(11)) });
    const refuse = async () => {
      await win.composer.fill('rm -rf ./old'.slice(0, 11));
      pretend.show(quay({ ...LOST, retryMs: null }));
      await cut().waitFor();
      await win.page.keyboard.press('Enter');
      await soon(() => win.page.evaluate(() => String(getSelection()))).toBe('rm -rf ./ol');
    };
    await refuse();
    await win.page.keyboard.type('echo over');
    await soon(() => win.composer.inputValue()).toBe('echo over');
    await held.getByRole('button', { name: strings.composer.discard }).click();
    await refuse();
    await win.page.keyboard.press('ArrowRight');
    await win.page.keyboard.type('d2');
    await soon(() => win.composer.inputValue()).toBe('rm -rf ./old2'); // on purpose
    await refuse();
    pretend.show(quay());
    await cut().waitFor({ state: 'detached' });
    await win.page.keyboard.insertText('echo '); // as from an input method
    await win.page.keyboard.type('alone');
    await soon(() => win.composer.inputValue()).toBe('echo alone');
    await win.page.keyboard.press('Enter');
    await soon(() => win.lines(win.card('echo alone'))).toEqual(['alone']);
    await held.getByRole('button', { name: strings.composer.show }).click();
    await soon(() => win.composer.inputValue()).toBe('rm -rf ./ol');
    await win.composer.fill('');
  });

  test('a question of the machine of a shown terminal is shown once, in the bar over it', async () => {
    const question = { id: 'q3', kind: 'secret', text: 'Enter passphrase for key:' } as const;
    pretend.show(quay({ ...LOST, state: 'connecting', question }));
    await cut()
      .getByRole('button', { name: words.answerNamed('quay') })
      .waitFor();
    await soon(() => win.page.getByText(words.question.notice.secret('quay')).count()).toBe(0);
    await win.page.getByText(words.lost.placeholder).waitFor();
    pretend.show(quay());
    await cut().waitFor({ state: 'detached' });
  });

  test('a tab on top names its machine and shows its state', async () => {
    const there = win.page.getByRole('tablist', { name: strings.tabs.terminalsOn('quay') }).getByRole('tab');
    await win.act(strings.app.actions.tabsPlace);
    await win.page.locator('aside.top').waitFor();
    await soon(() => there.innerText()).toMatch(/quay$/);
    await soon(async () => (await there.boundingBox())?.y).toBe((await win.tabs.first().boundingBox())?.y);
    expect(await win.tabs.first().innerText()).not.toContain('quay');
    const mark = () => there.locator('[data-mark]').getAttribute('data-mark');
    await soon(mark).toBe('connected');
    pretend.show(quay({ ...LOST, retryMs: null }));
    await soon(mark).toBe('lost');
    pretend.show(quay());
    await cut().waitFor({ state: 'detached' });
    await win.act(strings.app.actions.tabsPlace);
    await win.page.locator('aside.side').waitFor();
    await win.ready();
  });

  test('a machine whose list is cut is marked where there is room for letters only, and says so in words', async () => {
    const { width, height } = win.page.viewportSize() ?? { width: 1440, height: 900 };
    await win.page.setViewportSize({ width: 900, height });
    const cutHead = head('quay01').locator('.head');
    await soon(() => cutHead.innerText()).toBe('QU');
    pretend.show(quay({ isCut: true }));
    await soon(() => cutHead.innerText()).toBe(`QU\n${words.cut.short}`);
    expect(await cutHead.locator('[data-mark]').getAttribute('data-mark')).toBe('cut');
    expect(await cutHead.getAttribute('aria-label')).toContain(words.cut.long);
    const [mark, room] = await Promise.all([cutHead.locator('.facts').boundingBox(), cutHead.boundingBox()]);
    expect((mark?.x ?? 0) + (mark?.width ?? 0)).toBeLessThanOrEqual((room?.x ?? 0) + (room?.width ?? 0));
    pretend.show(quay({ ...LOST, isCut: true }));
    await soon(() => cutHead.locator('[data-mark]').getAttribute('data-mark')).toBe('lost');
    pretend.show(quay());
    await soon(() => cutHead.innerText()).toBe('QU');
    await win.page.setViewportSize({ width, height });
    await win.page.locator('aside.side').waitFor();
    await win.ready();
  });

  test('a program in a lost terminal gets no key, then or later', async () => {
    await win.start('cat');
    await win.page.locator('.composer.program').waitFor();
    await soon(() => win.focused()).toBe('program');
    pretend.show(quay({ ...LOST, retryMs: null }));
    await cut().waitFor();
    await win.page.keyboard.type('lost keys');
    await win.page
      .getByText(words.lost.notSent(words.lost.noConnection('quay')))
      .first()
      .waitFor();
    pretend.show(quay());
    await cut().waitFor({ state: 'detached' });
    await win.page.keyboard.type('kept keys\n');
    await soon(() => win.live.innerText()).toContain('kept keys');
    expect(await win.live.innerText()).not.toContain('lost keys');
    await win.page.keyboard.press('Control+d');
    await win.ready();
  });

  test('"Retry now" asks for the connection and leaves the keys in the composer', async () => {
    pretend.answers['machine.connect'] = () => ({ ok: true, key: 'quay01' });
    pretend.calls.length = 0;
    pretend.show(quay({ ...LOST, retryMs: Date.now() + 60_000 }));
    await cut().getByRole('button').click();
    await soon(() => asked('machine.connect')).toEqual([{ name: 'quay' }]);
    await soon(() => win.focused()).toBe('line');
    pretend.show(quay());
  });

  test('a question of one that connects by itself takes no keys', async () => {
    await win.ready();
    pretend.calls.length = 0;
    pretend.answers['machine.answer'] = () => true;
    const question = { id: 'q2', kind: 'confirm', text: 'The key is SHA256:abc.\nContinue?' } as const;
    const pier = aMachine({ key: 'pier02', name: 'pier', state: 'connecting', question });
    pretend.show(quay(), pier);
    await win.page.getByText(words.question.notice.confirm('pier')).waitFor();
    await win.page.keyboard.type('echo typed on');
    await soon(() => win.composer.inputValue()).toBe('echo typed on');
    await win.page
      .getByRole('main')
      .getByRole('button', { name: words.answerNamed('pier') })
      .click();
    await win.dialog.getByText('SHA256:abc').waitFor();
    const no = win.dialog.getByRole('button', { name: words.question.no });
    await soon(() => no.evaluate((element) => element === document.activeElement)).toBe(true);
    await win.page.keyboard.press('Enter');
    await soon(() => asked('machine.answer')).toEqual([{ key: 'pier02', questionId: 'q2', answer: null }]);
    pretend.show(quay(), aMachine({ key: 'pier02', name: 'pier', state: 'off', latencyMs: null }));
    await win.page.keyboard.press('Escape');
    await win.dialog.waitFor({ state: 'detached' });
    await win.composer.fill('');
  });

  test('each state has a mark of its own shape, in the strip of a narrow window too', async () => {
    const states = ['connected', 'connecting', 'lost', 'failed', 'off'] as const;
    pretend.show(
      quay(),
      ...states.map((state, at) => aMachine({ key: `pier0${at}`, name: `p${at}.example`, state, latencyMs: null })),
    );
    const shapes = () =>
      win.page.locator('[data-machine^="pier0"] svg').evaluateAll((marks) => marks.map((mark) => mark.innerHTML));
    for (const width of [1440, 900]) {
      await win.page.setViewportSize({ width, height: 900 });
      await soon(async () => new Set(await shapes()).size).toBe(states.length);
    }
    await win.page.setViewportSize({ width: 1440, height: 900 });
    pretend.show(quay());
  });

  test('a new tab opens on the machine of the shown one, and by its name in the palette', async () => {
    await win.ready();
    await win.page.keyboard.press('Control+Shift+T');
    await soon(() => head('quay01').count()).toBe(1);
    await soon(() => win.page.locator('[data-tab^="on-quay01-"]').count()).toBe(2);
    await win.act(words.actions.newOn('quay'));
    await soon(() => win.page.locator('[data-tab^="on-quay01-"]').count()).toBe(3);
  });

  test('the Agents page names a machine that cannot be asked, unless it lists this one alone', async () => {
    await win.act(strings.agents.action);
    const choice = win.page.getByRole('combobox', { name: words.label });
    await choice.waitFor();
    const note = win.page.getByText(words.absent(['quay']));
    expect(await note.count()).toBe(0);
    pretend.show(quay({ ...LOST, retryMs: Date.now() + 60_000 }), aMachine({ key: 'pier01', name: 'pier' }));
    await note.waitFor();
    await choice.selectOption(words.here);
    await note.waitFor({ state: 'detached' });
    await choice.selectOption('quay');
    await note.waitFor();
    pretend.show(quay());
    await note.waitFor({ state: 'detached' });
    await choice.selectOption(words.all);
    await win.page.keyboard.press('Escape');
    await choice.waitFor({ state: 'detached' });
  });

  test('History lists the machine that is chosen in it', async () => {
    await win.act(strings.history.action);
    const choice = win.page.getByRole('combobox', { name: words.label });
    await soon(() => choice.evaluate((list: HTMLSelectElement) => [...list.options].map(({ text }) => text))).toEqual([
      words.all,
      words.here,
      'quay',
    ]);
    pretend.calls.length = 0;
    await choice.selectOption('quay');
    await soon(() => asked('agent.past.page')).toMatchObject([{ machine: 'quay01' }]);
    await win.page.getByRole('button', { name: strings.history.usage.show, exact: true }).click();
    const usage = win.page.getByRole('region', { name: strings.history.usage.show });
    await soon(() => usage.innerText()).not.toContain(strings.history.usage.here);
    await choice.selectOption(words.all);
    await soon(() => usage.innerText()).toContain(strings.history.usage.here);
    await win.page.keyboard.press('Escape');
    await choice.waitFor({ state: 'detached' });
  });

  test('a port of it is opened by way of one of this machine', async () => {
    pretend.calls.length = 0;
    pretend.answers['machine.forward'] = ({ port }: { port: number }) => {
      pretend.show(quay({ forwards: [{ port, localPort: 41_000 }] }));
      return { ok: true, localPort: 41_000 };
    };
    await win.page.evaluate(() => {
      window.open = (url) => {
        document.body.dataset.opened = String(url);
        return null;
      };
    });
    await head('quay01').getByRole('button').first().click();
    await win.page.getByRole('menuitem', { name: words.menu.forward }).click();
    await win.dialog.getByRole('spinbutton').fill('5173');
    await win.page.keyboard.press('Enter');
    await soon(() => win.page.evaluate(() => document.body.dataset.opened)).toBe('http://127.0.0.1:41000/');
    expect(asked('machine.forward')).toEqual([{ key: 'quay01', port: 5173 }]);
    await win.dialog.getByText(words.forward.line(5173, 41_000)).waitFor();
    await win.page.keyboard.press('Escape');
  });
});
