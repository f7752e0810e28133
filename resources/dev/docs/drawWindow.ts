import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { call, connectClient } from '../../../test/mcp/mcpClient.ts';
import { ROOT } from '../../../test/support/sourceFiles.ts';
import { CLI, ServedApp, TestBrowser } from '../../../test/support/WebApp.ts';
import { makeProject } from './makeProject.ts';

/** A recorded session of Claude Code with every kind of Markdown. */
const AGENT_CAST = join(ROOT, 'test/fixtures/agents/claude/2.1.329-markdown/session.cast');
const SIZE = { width: 1280, height: 760 };
const POLICY = { clients: { '*': { scopes: ['exec'] } }, exec: { allow: [{ argv: ['git', ['status']] }] } };

/** Takes screenshots of the real window with a real core. Every scene runs, because each depends on the ones before it. */
export async function drawWindow(scenes: readonly string[]): Promise<[string, Uint8Array][]> {
  const app = new ServedApp();
  const browser = new TestBrowser();
  const drawn: [string, Uint8Array][] = [];
  const project = makeProject(join(tmpdir(), 'berths'));
  writeFileSync(join(app.home, 'policy.json'), JSON.stringify(POLICY), { mode: 0o600 });
  try {
    await app.start();
    const { page } = await browser.open(app.url, { viewport: SIZE, deviceScaleFactor: 1, colorScheme: 'dark' });
    const shoot = async (name: string): Promise<void> => {
      if (!scenes.includes(name)) return;
      await page.mouse.move(SIZE.width / 2, 3);
      drawn.push([name, await page.screenshot()]);
    };
    await runCommands(page, project.folder);
    await shoot('cards');
    await askToRun(app.home, page, () => shoot('approval'));
    await showConversation(app.home, page);
    await shoot('conversation');
    await searchFor(page, 'test');
    await shoot('search');
  } finally {
    await browser.dispose();
    await app.dispose();
    project.dispose();
  }
  return drawn;
}

async function runCommands(page: Page, folder: string): Promise<void> {
  for (const command of [`cd ${folder}`, 'clear', 'git log --oneline', 'ls -l --color src', 'node test.mjs'])
    await run(page, command);
}

async function run(page: Page, command: string): Promise<void> {
  const prompt = page.getByRole('textbox', { name: 'Command', exact: true });
  await prompt.fill(command);
  await page.keyboard.press('Enter');
  if (command === 'clear') return;
  await page.getByRole('heading', { name: command }).last().waitFor();
  await prompt.waitFor();
}

/** An MCP client requests a command that needs approval. The request is denied after the screenshot. */
async function askToRun(home: string, page: Page, shoot: () => Promise<void>): Promise<void> {
  const { client, close } = await connectClient(home, { name: 'claude-code' });
  try {
    const [terminal] = (await call(client, 'pty_list')).ptys;
    const running = call(client, 'pty_exec', {
      ...{
        pty_id: terminal.pty_id,
        cmd: 'git commit -am "Count the low tide"',
        reason: 'the test passes now',
        wait_ms: 50_000,
      },
    });
    const card = page.getByRole('region', { name: /asks to run/ });
    await card.waitFor();
    await page.waitForTimeout(600); // the card ignores clicks during its first moments
    await shoot();
    await card.getByRole('button', { name: /^Deny/ }).first().click();
    await running.catch(() => undefined);
  } finally {
    await close();
  }
}

/** Imports the recording, which opens in its own tab. */
async function showConversation(home: string, page: Page): Promise<void> {
  spawnSync(process.execPath, [CLI, 'import', AGENT_CAST, '--title', 'claude'], {
    env: { ...process.env, HANSARD_HOME: home },
  });
  await page
    .getByRole('tab', { name: /claude/ })
    .first()
    .click();
  await page.locator('[data-chat] li.said').nth(1).waitFor({ timeout: 60_000 });
  await page.waitForTimeout(1500); // the panel scrolls to its end
}

async function searchFor(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+Shift+F');
  await page.keyboard.type(words);
  await page.getByRole('dialog').getByText(words).first().waitFor();
  await page.waitForTimeout(1000);
}
