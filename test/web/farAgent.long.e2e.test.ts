import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../src-main/contract/chat/chat.ts';
import { withoutMachine } from '../../src-main/shared/machineIds.ts';
import { SessionFolder } from '../../src-main/store/record/SessionFolder.ts';
import { strings } from '../../src-renderer/app/strings.ts';
import { SETTLED_MS } from '../../src-renderer/ui/touch/settledClicks.ts';
import { readChat } from '../agents/compare/readChat.ts';
import { DrawnFarAgent, RealFarAgent } from '../machines/rig/FarAgent.ts';
import { FarMachine } from '../machines/rig/FarMachine.ts';
import { SSHD } from '../machines/rig/findProgram.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, TestBrowser } from '../support/WebApp.ts';

const PAGE = '[data-keys="agents"]';
const BEFORE = 'const one = 1;\n';
/** A real agent with a scripted model may take this long for a turn on two busy cores. */
const TURN = { timeout: 60_000 };
const KINDS = [
  { Kind: DrawnFarAgent, name: 'a drawn agent', missing: null },
  { Kind: RealFarAgent, name: 'the real Claude Code', missing: RealFarAgent.missing },
];
const READY = SSHD !== null && BROWSER !== '' && existsSync(BROWSER);

for (const { Kind, name, missing } of KINDS)
  describe.skipIf(!READY || missing !== null)(`${name} behind a real sshd`, () => {
    const browser = new TestBrowser();
    const agent = new Kind();
    let machine: FarMachine;
    let win: TerminalWindow;
    let project: string;
    const asked: string[] = [];

    beforeAll(async () => {
      machine = await FarMachine.start();
      project = join(machine.sshd.home, 'pro ject');
      repositoryAt(project);
      await agent.start(machine, project);
      win = new TerminalWindow((await browser.open(machine.url)).page);
    }, 180_000);

    afterAll(async () => {
      await browser.dispose();
      await agent.dispose();
      await machine?.dispose();
    });

    const press = (key: string) => win.page.keyboard.press(key);
    const page = () => win.page.locator(PAGE);
    const panel = () => win.page.locator('[data-chat]');
    const article = () => page().getByRole('article').filter({ hasText: agent.label });
    const part = (of: string) =>
      panel().getByRole('navigation', { name: strings.changes.parts }).getByRole('button', { name: of });
    const replayed = () => win.page.locator('.replay .xterm-rows').innerText();

    async function openPage(): Promise<void> {
      if ((await page().count()) === 0) await press('Control+Shift+A');
      await page().waitFor();
    }

    /** Sends a prompt from the page, as soon as the agent takes one. */
    async function say(prompt: string): Promise<void> {
      await openPage();
      await article().getByRole('button').first().click();
      await soon(() => article().getByRole('button').first().getAttribute('aria-current')).toBe('true');
      await press('r');
      const field = win.page.locator('#agent-reply');
      await soon(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
      await win.page.keyboard.type(prompt);
      await press('Enter');
      await soon(() => field.inputValue()).toBe('');
      await press('Escape');
    }

    /** Looks at the question first, as a person does; the page takes no press on something that has just appeared. */
    async function answer(right: RegExp): Promise<void> {
      const option = article().locator('[data-settles] button').filter({ hasText: right }).first();
      await option.waitFor(TURN);
      await win.page.waitForTimeout(SETTLED_MS * 1.5);
      await option.click();
      await option.waitFor({ state: 'detached', ...TURN });
    }

    /** The questions in the record of the other machine, read there without ssh. */
    function questions(): ChatMessage[] {
      const { chatJsonl } = new SessionFolder(machine.dataFolder, withoutMachine(agent.terminalId));
      const lines = readFileSync(chatJsonl, 'utf8').split('\n').filter(Boolean);
      const { conversations } = readChat(
        lines.map((line) => JSON.parse(line)),
        0,
      );
      return conversations.flatMap(({ messages }) => messages).filter(({ kind }) => kind === 'permission');
    }

    test('asks, gets one right answer from the page of all agents here, and its record says who and when', {
      timeout: 180_000,
    }, async () => {
      await soon(() => win.tabs.count()).toBe(1);
      for (const mark of ['harbour', 'lantern']) {
        const { prompt, right } = agent.asking(mark);
        const fromMs = Date.now();
        await say(prompt);
        await answer(right);
        asked.push(mark);
        await soon(() => agent.done(asked).seen).toBe(agent.done(asked).right);
        await soon(() => questions().length).toBe(asked.length);
        await soon(() => questions().at(-1)?.question?.verdict).toMatchObject({
          by: 'user',
          choice: expect.stringMatching(right),
        });
        const atMs = questions().at(-1)?.question?.verdict?.atMs ?? 0;
        expect(atMs).toBeGreaterThan(fromMs);
        expect(atMs).toBeLessThanOrEqual(Date.now());
      }
      expect(agent.done(asked).seen).toBe(agent.done(asked).right);
    });

    test('shows here what it changed there, and a file is restored there', { timeout: 180_000 }, async () => {
      const { prompt, right } = agent.editing('a.ts', 'const one = 10;');
      await say(prompt);
      await part(strings.conversation.parts.changes).click();
      await panel().getByText(strings.changes.running).first().waitFor(TURN);
      agent.goOn();
      if (right) await answer(right);
      await soon(() => readFileSync(join(project, 'a.ts'), 'utf8')).toBe('const one = 10;\n');
      await soon(() => panel().getByText(strings.changes.running).count()).toBe(0);
      const row = panel().locator('[data-row]').filter({ hasText: 'a.ts' }).first();
      await row.focus();
      await press('Enter');
      const diff = panel().getByRole('figure', { name: strings.changes.diff('a.ts') });
      await soon(() => diff.innerText()).toContain('− const one = 1;');
      await soon(() => diff.innerText()).toContain('+ const one = 10;');
      await row.focus();
      await press('r');
      await win.dialog.getByRole('button', { name: strings.changes.restore.confirm }).click();
      await soon(() => readFileSync(join(project, 'a.ts'), 'utf8')).toBe(BEFORE);
      await part(strings.conversation.parts.messages).click();
      await soon(() => panel().innerText()).toMatch(agent.said);
    });

    test('has its conversation replayed here and exported', { timeout: 180_000 }, async () => {
      await press('Control+Shift+A');
      await page().waitFor({ state: 'detached' });
      await panel().waitFor();
      await panel().getByRole('button', { name: strings.conversation.menu }).click();
      await win.page.getByRole('menuitem', { name: strings.replay.actions.conversation }).click();
      await win.page.locator('.replay:focus').waitFor(); // it takes keys when it is loaded
      await press('End');
      await soon(replayed).toMatch(agent.said);
      await press('Escape');
      await soon(() => win.page.locator('.replay').count()).toBe(0);
      await panel().getByRole('button', { name: strings.conversation.foot.export }).click();
      await win.dialog.getByText(strings.conversation.export.noSecrets).waitFor();
      const coming = win.page.waitForEvent('download');
      await win.dialog.getByRole('button', { name: strings.app.save, exact: true }).click();
      const text = readFileSync(await (await coming).path(), 'utf8');
      expect(text).toMatch(agent.said);
      expect(text).toContain(agent.asking('lantern').prompt);
    });

    test('is found here by a word that only it has said', { timeout: 180_000 }, async () => {
      await press('Control+Shift+F');
      await win.page.getByPlaceholder(strings.search.placeholder).fill('edited');
      const hits = win.page.locator('.everywhere-item');
      await soon(() => hits.allTextContents()).toContainEqual(expect.stringMatching(agent.said));
      await press('Escape');
    });

    test('has a card beside it whose output is replayed and exported here', { timeout: 180_000 }, async () => {
      await machine.open(project);
      await soon(() => win.tabs.count()).toBe(2);
      await win.tabs.last().click();
      await win.ready();
      const card = await win.run("printf 'tide one\\n'; sleep 0.4; printf '\\033[31mtide two\\033[m\\n'");
      await win.choose(card, strings.replay.actions.card);
      await soon(replayed).toContain('tide two');
      await press('Escape');
      await soon(() => win.page.locator('.replay').count()).toBe(0);
      for (const [item, text] of [
        [strings.cards.exportText, 'tide one\ntide two\n'],
        [strings.cards.exportCast, 'tide two'],
      ] as const) {
        const coming = win.page.waitForEvent('download');
        await win.select(card);
        await win.act(item);
        expect(readFileSync(await (await coming).path(), 'utf8')).toContain(text);
      }
    });
  });

function repositoryAt(folder: string): void {
  mkdirSync(folder);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(folder, 'a.ts'), BEFORE);
  git('add', '-A');
  git('commit', '-qm', 'one');
}
