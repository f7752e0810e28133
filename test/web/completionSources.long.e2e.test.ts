import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectTo } from '../support/coreClient.ts';
import { soon, TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER, ServedApp, TestBrowser } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('values that completion reads from the machine', () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-values-')));
  const repo = join(home, 'harbour');
  const bin = join(home, 'bin');
  const docker = join(bin, 'docker');
  const app = new ServedApp({ env: { HOME: home, PATH: `${bin}:/usr/bin:/bin`, TIDE_LEVEL: 'low', TIDE_TABLE: 'x' } });
  const browser = new TestBrowser();
  let win: TerminalWindow;
  const press = (keys: string): Promise<void> => win.page.keyboard.press(keys);
  const type = (text: string): Promise<void> => win.page.keyboard.type(text);
  const options = () => win.page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
  const labels = (): Promise<string[]> => options().locator('.label').allInnerTexts();
  /** What Tab offers for a line. */
  const offered = async (line: string): Promise<string[]> => {
    await type(line);
    await press('Tab');
    await soon(() => options().count()).toBeGreaterThan(0);
    return labels();
  };

  /** Empties the line. */
  const clear = async (): Promise<void> => {
    await press('Control+c');
    await soon(async () => [await win.composer.inputValue(), await options().count()]).toEqual(['', 0]);
  };

  beforeAll(async () => {
    for (const path of [repo, bin, join(home, '.ssh')]) mkdirSync(path);
    writeFileSync(join(home, '.ssh/config'), 'Host harbour haven *.example\n  HostName 192.0.2.7\n');
    writeFileSync(join(repo, 'package.json'), JSON.stringify({ scripts: { tides: 'echo t', tidy: 'echo y' } }));
    writeFileSync(join(repo, 'Makefile'), 'berth:\n\ttrue\nbeacon: berth\n\ttrue\n.PHONY: berth\n');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: repo });
    git('init', '-q', '-b', 'main');
    git('commit', '-q', '--allow-empty', '-m', 'one');
    for (const name of ['feature/buoy', 'feature/crane']) git('branch', name);
    await app.start();
    // Only Tab asks, so that each test knows when.
    const core = connectTo(app.home);
    await core.api.settings.set.mutate({ 'composer.suggest': false }).finally(() => core.dispose());
    win = new TerminalWindow((await browser.open(app.url)).page);
  });

  afterAll(async () => {
    await browser.dispose();
    await app.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  beforeEach(async () => {
    await win.ready();
    await clear();
  });

  test('are the branches, scripts, targets, hosts and variables of where the line runs', async () => {
    await win.run(`cd ${repo}`);
    const cases: [line: string, labels: string[]][] = [
      ['git switch feature/', ['feature/buoy', 'feature/crane']],
      ['npm run ti', ['tides', 'tidy']],
      ['make be', ['berth', 'beacon']],
      ['ssh ha', ['harbour', 'haven']],
      ['echo $TIDE_', ['TIDE_LEVEL', 'TIDE_TABLE']],
    ];
    for (const [line, expected] of cases) {
      const found = await offered(line);
      expect(found.filter((label) => expected.includes(label)).sort(), line).toEqual([...expected].sort());
      expect(await win.page.locator('#choices').innerText(), line).not.toMatch(/\*\.example|PHONY|low/);
      await clear();
    }
  });

  test('are the processes that run now, with their programs', async () => {
    const card = await win.run('sleep 4242 & echo pid-$!');
    await soon(async () => (await win.lines(card)).join(' ')).toMatch(/pid-\d+/);
    const [, pid = ''] = /pid-(\d+)/.exec((await win.lines(card)).join(' ')) ?? [];
    await offered('kill ');
    const process = options().filter({ has: win.page.locator('.label').getByText(pid, { exact: true }) });
    await soon(() => process.innerText()).toMatch(/\bsleep\b/);
    await process.click();
    expect(await win.composer.inputValue()).toBe(`kill ${pid} `);
    await clear();
    await win.run(`kill ${pid}`);
  });

  test('come from Docker while it answers; without Docker files are offered', async () => {
    expect(existsSync('/usr/bin/docker') || existsSync('/bin/docker')).toBe(false);
    const without = await offered('docker start ');
    expect(without).toContain('package.json');
    await clear();
    writeFileSync(docker, '#!/bin/sh\nprintf "web\\tnginx, Up\\nworker\\tnode, Exited\\n"\n', { mode: 0o755 });
    await soon(async () => {
      await clear();
      return offered('docker start '); // what was read just before is kept for two seconds
    }).toEqual(expect.arrayContaining(['web', 'worker']));
  });

  test('of a program that hangs are left out, it is killed, and neither keys nor other values wait', async () => {
    const pidFile = join(home, 'docker.pid');
    writeFileSync(docker, `#!/bin/sh\necho $$ >> ${pidFile}\nexec sleep 60\n`, { mode: 0o755 });
    await soon(async () => {
      await clear();
      const found = await offered('docker start ');
      return found.includes('package.json') && !found.includes('web'); // the last values are kept for two seconds
    }).toBe(true);
    await clear();
    await type('docker start w');
    await press('Tab');
    await type('eb && git switch feat'); // while Docker is asked
    expect(await win.composer.inputValue()).toBe('docker start web && git switch feat');
    await press('Tab');
    await soon(async () => (await labels()).sort()).toEqual(['feature/buoy', 'feature/crane']);
    expect(await win.composer.inputValue()).toBe('docker start web && git switch feature/');
    const running = () =>
      readFileSync(pidFile, 'utf8')
        .trim()
        .split('\n')
        .filter((pid) => existsSync(`/proc/${pid}`));
    await soon(running).toEqual([]);
  });

  test('of an earlier line never appear over a later one', async () => {
    const done = join(home, 'docker.done');
    const answer = 'printf "web\\tnginx, Up\\nworker\\tnode, Up\\n"';
    writeFileSync(docker, `#!/bin/sh\nsleep 0.1\n${answer}\ntouch ${done}\n`, { mode: 0o755 });
    await win.page.evaluate(() => {
      const seen = new Set<string>();
      Object.assign(window, { seen });
      new MutationObserver(() => {
        for (const label of document.querySelectorAll('#choices .label')) seen.add(label.textContent ?? '');
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    // Repeated where the machine is so slow that Docker was killed before it answered.
    await soon(async () => {
      await clear();
      await type('docker rmi w');
      await press('Tab');
      await clear();
      await offered('npm run ti');
      return existsSync(done);
    }).toBe(true);
    await clear();
    await offered('git switch feature/'); // its answer comes after Docker's
    const seen = await win.page.evaluate(() => [...(Reflect.get(window, 'seen') as Set<string>)]);
    expect(seen).toContain('tides');
    expect(seen).not.toContain('web');
    expect(seen).not.toContain('worker');
  });
});
