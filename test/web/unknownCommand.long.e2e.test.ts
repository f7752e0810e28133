import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeFaults } from '../support/axe.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

const hasBrowser = BROWSER !== '' && existsSync(BROWSER);
const shells = ['bash', 'zsh', 'fish'].filter((name) => existsSync(`/usr/bin/${name}`));

interface Message {
  id: number;
}

describe.skipIf(!hasBrowser).each(shells)('words that are no command, in %s', (name) => {
  const home = mkdtempSync(join(tmpdir(), 'hansard-person-'));
  const app = new ServedApp({
    env: { HOME: home, ZDOTDIR: home, XDG_CONFIG_HOME: join(home, '.config'), SHELL: `/usr/bin/${name}` },
  });
  const browser = new TestBrowser();
  let win: TerminalWindow;
  /** Ids of the questions about commands that were answered. */
  const answered = new Set<number>();
  const marked = () => win.page.locator('.cm-unknown').allInnerTexts();
  const define = (word: string) => (name === 'fish' ? `function ${word}; echo ran; end` : `${word}() { echo ran; }`);
  /** Returns the marked words of a line. A word after it that is certainly no command shows that the check is done. */
  const look = async (line: string) => {
    await win.composer.fill(`${line} | nosuchend`);
    await soon(marked).toContain('nosuchend');
    return (await marked()).filter((word) => word !== 'nosuchend');
  };

  beforeAll(async () => {
    mkdirSync(join(home, '.config/fish/functions'), { recursive: true });
    writeFileSync(join(home, '.bashrc'), "alias tide='echo'\nshopt -s autocd\n");
    writeFileSync(
      join(home, '.zshrc'),
      "alias tide=echo\nfpath=($HOME $fpath)\nautoload -Uz lagoon\nalias -g EBB='| cat'\nalias -s log=cat\nsetopt auto_cd\n",
    );
    writeFileSync(join(home, 'lagoon'), 'echo lagoon\n');
    writeFileSync(join(home, '.config/fish/config.fish'), 'alias tide echo\nabbr -a gco git checkout\n');
    writeFileSync(join(home, '.config/fish/functions/lagoon.fish'), 'function lagoon; echo lagoon; end\n');
    mkdirSync(join(home, 'harbour'));
    await app.start();
    const { page } = await browser.open('about:blank');
    const asked = new Set<number>();
    page.on('websocket', (socket) => {
      const messages = (payload: string | Buffer) => [JSON.parse(String(payload))].flat() as Message[];
      socket.on('framesent', ({ payload }) => {
        if (String(payload).includes('complete.isCommand')) for (const { id } of messages(payload)) asked.add(id);
      });
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).startsWith('{') || String(payload).startsWith('['))
          for (const { id } of messages(payload)) if (asked.has(id)) answered.add(id);
      });
    });
    await page.goto(app.url);
    win = new TerminalWindow(page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  test('a mistyped command is underlined, said to a screen reader, and gone when it is corrected', async () => {
    await win.ready();
    await win.composer.fill('gti status');
    await soon(marked).toEqual(['gti']);
    expect(await win.page.locator('.cm-unknown').getAttribute('title')).toBe('Command not found');
    await soon(() => win.page.getByRole('status').allInnerTexts()).toContain('Command not found: gti');
    for (const colorScheme of ['dark', 'light'] as const) {
      await win.page.emulateMedia({ colorScheme });
      expect(await axeFaults(win.page, '.composer')).toEqual([]);
    }
    await win.composer.fill('git status');
    await soon(marked).toEqual([]);
  });

  test('what the shell has is not underlined: aliases, functions, builtins, programs, folders and what is not certain', async () => {
    expect(await look('tide')).toEqual([]);
    expect(await look('cd')).toEqual([]);
    expect(await look('cat')).toEqual([]);
    expect(await look('harbour')).toEqual([]);
    expect(await look('./nosuchfile')).toEqual([]);
    expect(await look('~/nosuchfile')).toEqual([]);
    expect(await look('$nosuch')).toEqual([]);
    expect(await look('TIDE=low cat')).toEqual([]);
    expect(await look('TIDE=low gti')).toEqual(['gti']); // an assignment hides no mistake
    if (name !== 'bash') expect(await look('lagoon')).toEqual([]);
    if (name === 'zsh') expect(await look('notes.log')).toEqual([]);
    if (name === 'fish') expect(await look('gco')).toEqual([]);
  });

  test('a function that is defined later counts at once, and no longer when it is taken away', async () => {
    expect(await look('moonrise')).toEqual(['moonrise']);
    await win.run(define('moonrise'));
    expect(await look('moonrise')).toEqual([]);
    await win.run(name === 'fish' ? 'functions -e moonrise' : 'unset -f moonrise');
    expect(await look('moonrise')).toEqual(['moonrise']);
  });

  test('a program on a PATH that the shell changed counts', async () => {
    mkdirSync(join(home, 'tools'));
    writeFileSync(join(home, 'tools', 'spyglass'), '#!/bin/sh\n', { mode: 0o755 });
    expect(await look('spyglass')).toEqual(['spyglass']);
    await win.run(name === 'fish' ? `set -gx PATH ${home}/tools $PATH` : `PATH=${home}/tools:$PATH`);
    expect(await look('spyglass')).toEqual([]);
  });

  test.skipIf(name === 'fish')('nothing is underlined while a function takes what is not found', async () => {
    const handler = name === 'bash' ? 'command_not_found_handle' : 'command_not_found_handler';
    await win.run(define(handler));
    answered.clear();
    await win.composer.fill('gti x');
    await soon(() => answered.size).toBeGreaterThan(0);
    expect(await marked()).toEqual([]);
    await win.run(`unset -f ${handler}`);
    await win.composer.fill('gti x');
    await soon(marked).toEqual(['gti']);
  });
});
