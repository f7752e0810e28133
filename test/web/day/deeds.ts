import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { strings } from '../../../src-renderer/app/strings.ts';
import { soon } from '../../support/TerminalWindow.ts';
import type { Day } from './Day.ts';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 900, height: 600 },
  { width: 2560, height: 1300 },
];

/** A developer's actions, each by the keys that they would press. Every action ends with an idle shell. */
export const DEEDS: Readonly<Record<string, (day: Day) => Promise<void>>> = {
  'prints a line': async (day) => day.run(`echo ${day.word()}`),
  'looks at the tree': (day) => day.run('git status --short'),
  'commits a change': async (day) => {
    const word = day.word();
    writeFileSync(join(day.folder, 'work', `${word}.txt`), word);
    await day.run(`git add -A && git -c user.name=t -c user.email=t@example.org commit -qm ${word}`);
  },
  'reads the history of git in a pager': (day) =>
    day.use('git -c core.pager="less -+F" log', async () => {
      await day.shows('Author:');
      await day.press('q');
    }),
  'builds, and it fails': (day) => day.run(`sh -c 'echo building ${day.word()}; exit 2'`, 2),
  'builds with much output': (day) => day.run(`seq 1 ${20_000}`),
  'mistypes a command': (day) => day.run(`gti-${day.word()} status`, 127),
  'filters a file': (day) => day.run('grep -c 7 log.txt'),
  'uses a pipe and colours': (day) => day.run(`printf '\\033[31mred\\033[0m\\n' | cat`),
  'waits a moment': (day) => day.run('sleep 0.3'),
  'edits in vim': async (day) => {
    const word = day.word();
    await day.use(`vim -u NONE -n note-${word}`, async () => {
      await day.shows('~');
      await day.type(`i${word} is high`);
      await day.shows(`${word} is high`);
      await day.press('Escape');
      await day.type(':wq\r');
    });
    expect(readFileSync(join(day.folder, 'work', `note-${word}`), 'utf8')).toBe(`${word} is high\n`);
  },
  'reads a file in less': (day) =>
    day.use('less log.txt', async () => {
      await day.shows('line 3');
      await day.press('Space');
      await day.shows('line 60');
      await day.press('q');
    }),
  'answers a question of a script': async (day) => {
    const word = day.word();
    await day.use(`sh -c 'printf "name? "; read name; echo "hello $name"'`, async () => {
      await day.shows('name?');
      await day.type(`${word}\r`);
    });
  },
  'uses a program that reads lines': async (day) => {
    const word = day.word();
    await day.use('cat', async () => {
      await day.type(`${word}\r`);
      await soon(async () => (await day.win.liveRows()).filter((row) => row.includes(word)).length).toBe(2);
      await day.press('Control+d');
    });
  },
  'computes in python': (day) =>
    day.use('python3 -q', async () => {
      await day.shows('>>>');
      await day.type('print(6 * 7 * 1000)\r');
      await day.shows('42000');
      await day.press('Control+d');
    }),
  'works in a shell within the shell': async (day) => {
    const word = day.word();
    await day.use("PS1='in> ' sh", async () => {
      await day.shows('in>');
      await day.type(`echo in-${word}\r`);
      await soon(async () => (await day.win.liveRows()).filter((row) => row.includes(`in-${word}`)).length).toBe(2);
      await day.type('exit\r');
    });
  },
  'stops a program': async (day) => {
    const cmd = `sh -c 'echo u""p; exec sleep 100'`;
    await day.use(
      cmd,
      async () => {
        await day.shows('up');
        await day.press('Control+c');
      },
      130,
    );
  },
  'types ahead': async (day) => {
    const word = day.word();
    await day.submit('sleep 1');
    await soon(() => day.win.focused()).toBe('program');
    await day.type(`echo ${word}\r`);
    await day.did(['sleep 1', 0], [`echo ${word}`, 0]);
  },
  'takes the last command again': async (day) => {
    const word = day.word();
    await day.run(`echo ${word}`);
    await day.press('ArrowUp');
    await soon(() => day.draft()).toBe(`echo ${word}`);
    await day.press('Enter');
    await day.did([`echo ${word}`, 0]);
  },
  'finds an earlier command': async (day) => {
    const word = day.word();
    await day.run(`echo ${word} found`);
    await day.run('true');
    await day.press('Control+r');
    await day.page.getByPlaceholder(strings.search.history.placeholder).fill(word);
    await soon(() => day.page.getByRole('option', { selected: true }).allInnerTexts()).toEqual([
      expect.stringContaining(word),
    ]);
    await day.press('Enter');
    await soon(() => day.draft()).toBe(`echo ${word} found`);
    await day.press('Enter');
    await day.did([`echo ${word} found`, 0]);
  },
  'gives a draft up': async (day) => {
    await day.type('rm -rf everything');
    await day.press('Escape');
    await day.press('Control+u');
    await day.check();
  },
  'asks an agent': async (day) => {
    const word = day.word();
    const log = join(day.folder, 'answers');
    writeFileSync(log, '');
    await day.use(`${day.agent} ${log}`, async () => {
      await day.shows('Ask Codex to do anything');
      await day.type(`${word}\r`);
      await day.shows(`of the answer to ${word}`);
      await day.type('ask 1\r');
      await day.shows('Would you like to run');
      await day.press('2');
      await soon(() => readFileSync(log, 'utf8')).toBe('0 1\n');
      await day.press('Control+d');
    });
  },
  'makes the window larger or smaller': async (day) => {
    for (const size of SIZES) {
      await day.page.setViewportSize(size);
      await day.check();
    }
    await day.page.setViewportSize(SIZES[0] as { width: number; height: number });
  },
  'opens a tab, works there and closes it': async (day) => {
    const before = await day.win.tabs.count();
    await day.press('Control+Shift+T');
    await soon(() => day.win.tabs.count()).toBe(before + 1);
    await soon(() => day.win.tabs.nth(before).getAttribute('aria-selected')).toBe('true');
    await day.run(`echo ${day.word()}`);
    await day.closeTab();
    await soon(() => day.win.tabs.count()).toBe(before);
    await day.check();
  },
  'opens a tab and stays': async (day) => {
    const before = await day.win.tabs.count();
    if (before > 3) return day.check();
    await day.press('Control+Shift+T');
    await soon(() => day.win.tabs.count()).toBe(before + 1);
    await soon(() => day.win.tabs.nth(before).getAttribute('aria-selected')).toBe('true');
    await day.run(`cd ${join(day.folder, 'work')}`);
  },
  'goes to the first tab': async (day) => {
    await day.press('Control+1');
    await soon(() => day.win.tabs.first().getAttribute('aria-selected')).toBe('true');
    await day.check();
  },
  'works in a second pane': async (day) => {
    await day.win.act(strings.panes.actions.splitRight);
    await soon(() => day.page.locator('[data-pane-of]').count()).toBe(2);
    await day.run(`echo ${day.word()}`);
    await day.win.act(strings.panes.actions.close);
    await soon(() => day.page.locator('[data-pane-of]').count()).toBe(1);
    await day.check();
  },
  'looks at the terminal and back': async (day) => {
    await day.press('Control+Shift+L');
    await day.page.locator('.is-under').first().waitFor({ state: 'attached' });
    await day.press('Control+Shift+L');
    await day.check();
  },
  'reads a card by keys and goes back': async (day) => {
    await day.press('F6');
    await soon(() => day.page.locator('.card.chosen').count()).toBe(1);
    await day.press('ArrowUp');
    await day.press('Escape');
    await day.check();
  },
  'clears the screen': (day) => day.run('clear'),
  'loads the page again': async (day) => {
    await day.page.reload();
    await day.check();
  },
  'starts Hansard again': async (day) => {
    await day.restart('SIGTERM');
    await day.check();
  },
  'has Hansard killed': async (day) => {
    await day.restart('SIGKILL');
    await day.check();
  },
};
