import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src-renderer/app/strings.ts';
import { axeFaults } from '../support/axe.ts';
import { installDrawnAgent } from '../support/installDrawnAgent.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';
import { accept, Receiver, refuse } from '../telemetry/support/Receiver.ts';

const words = strings.telemetry;
const SECRET = 'q7Wv-not-a-known-form-9Zk';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('telemetry in the window', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-otlp-'));
  const served = new ServedWindow();
  let win: TerminalWindow;
  let receiver: Receiver;
  const press = (key: string) => win.page.keyboard.press(key);
  const panel = () => win.page.getByRole('region', { name: words.state });
  const onSwitch = () => win.page.getByRole('checkbox', { name: words.enabled });

  async function openSettings(): Promise<void> {
    await press('Control+,');
    await win.page.getByPlaceholder(strings.settings.findSetting).fill('telemetry');
    await panel().waitFor();
  }

  beforeAll(async () => {
    installDrawnAgent(folder);
    writeFileSync(join(folder, 'log'), '');
    receiver = await Receiver.start();
    win = await served.start();
  });

  afterAll(async () => {
    await served.dispose();
    await receiver.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is off, and is turned on with an endpoint, a header and a test span', async () => {
    await win.ready();
    await openSettings();
    await soon(() => panel().innerText()).toContain(words.states.off);
    await onSwitch().check();
    await soon(() => panel().innerText()).toContain(words.states.fault);
    await win.page.getByRole('textbox', { name: words.endpoint }).fill(receiver.origin);
    await press('Enter');
    await win.page.getByLabel(words.headerName).fill('Authorization');
    await win.page.getByLabel(words.headerValue).fill(`Bearer ${SECRET}`);
    await win.page.getByRole('button', { name: words.setHeader }).click();
    await win.page.getByRole('button', { name: words.removeHeader('Authorization') }).waitFor();
    expect(await win.page.getByLabel(words.headerValue).inputValue()).toBe('');
    await win.page.getByRole('button', { name: words.test }).click();
    await soon(() => panel().innerText()).toContain('Accepted: 200');
    expect(receiver.got.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  test('has no faults that axe finds, in both themes', async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await win.page.emulateMedia({ colorScheme });
      await soon(() => axeFaults(win.page, '[role="dialog"]')).toEqual([]);
    }
  });

  test('sends the turn of an agent, without its text', async () => {
    await press('Escape');
    await win.ready();
    receiver.got.length = 0;
    await win.page.keyboard.type(`${join(folder, 'bin', 'codex')} ${join(folder, 'log')}`);
    await press('Enter');
    await soon(() => win.live.innerText()).toContain('Ask Codex to do anything');
    await win.page.keyboard.type('find the lighthouse');
    await press('Enter');
    await soon(() => win.live.innerText()).toContain('find the lighthouse');
    await expect
      .poll(() => receiver.spans.map(({ name }) => name), { timeout: 60_000 })
      .toContain('invoke_agent Codex');
    const [own] = receiver.spans;
    expect(own?.attributes).toMatchObject({ 'gen_ai.provider.name': 'openai', 'gen_ai.agent.version': '0.169.0' });
    expect(receiver.got.map(({ body }) => body.toString('latin1')).join('')).not.toContain('lighthouse');
  });

  test('shows a refusal in words, and asks what becomes of waiting turns when it is turned off', async () => {
    receiver.behave = refuse(401);
    await win.page.keyboard.type('find another');
    await press('Enter');
    await openSettings();
    await expect.poll(() => panel().innerText(), { timeout: 60_000 }).toContain('401 Unauthorized: check the headers');
    await soon(() => panel().innerText()).toContain(words.states.paused);
    await onSwitch().uncheck();
    await soon(() => panel().innerText()).toContain(words.left(1));
    await win.page.getByRole('button', { name: words.delete, exact: true }).click();
    await soon(() => panel().innerText()).not.toContain(words.left(1));
    receiver.behave = accept;
  });

  test('has the value of a header in no page and in no file but its own', async () => {
    expect(await win.page.content()).not.toContain(SECRET);
    const files = readdirSync(served.app.home, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const holders = files.filter(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(SECRET));
    expect(holders.map(({ name }) => name)).toEqual(['headers.json']);
  });
});
