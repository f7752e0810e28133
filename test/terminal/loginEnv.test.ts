import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { completeEnv } from '../../src-main/terminal/loginEnv.ts';

const home = mkdtempSync(join(tmpdir(), 'hansard-login-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const bin = join(home, 'à bin');
const profile = (shell: string): [path: string, text: string] =>
  shell === 'fish'
    ? ['.config/fish/config.fish', `echo noise; set -gx PATH $PATH "${bin}"; set -gx EDITOR "zed --wait"`]
    : [
        shell === 'zsh' ? '.zshrc' : '.bash_profile',
        `echo noise; sleep 30 & export PATH="$PATH:${bin}" EDITOR='zed --wait'`,
      ];

describe.each(['bash', 'zsh', 'fish'])('the login environment of a real %s', (shell) => {
  const path = ['/usr/bin', '/bin'].map((folder) => join(folder, shell)).find((found) => existsSync(found)) ?? '';
  const env = { HOME: home, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', ZDOTDIR: home, USER: 'tester' };

  test.skipIf(path === '')('adds folders and the editor that its start-up files set', async () => {
    const [file, text] = profile(shell);
    mkdirSync(join(home, file, '..'), { recursive: true });
    writeFileSync(join(home, file), text);
    const completed = await completeEnv(env, path);
    expect(completed.PATH?.split(':').slice(0, 2)).toEqual(['/usr/bin', '/bin']);
    expect(completed.PATH?.split(':')).toContain(bin);
    expect(completed).toMatchObject({ EDITOR: 'zed --wait', VISUAL: undefined, HOME: home });
  });

  test.skipIf(path === '')('keeps what the core already has', async () => {
    expect(await completeEnv({ ...env, EDITOR: 'nano' }, path)).toMatchObject({ EDITOR: 'nano' });
  });
});

test.each(['/no/such/shell', '/bin/false', '/bin/true'])('%s leaves the environment as it is', async (shell) => {
  const env = { HOME: home, PATH: '/usr/bin' };
  expect(await completeEnv(env, shell)).toBe(env);
});
