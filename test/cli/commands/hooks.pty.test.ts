import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { runCli } from '../runCli.ts';

const root = suiteFolder('cli-hooks');
let round = 0;
let home = '';
const run = (...args: string[]) => runCli(['hooks', ...args], { home: root, env: { HOME: home } });

beforeEach(() => {
  home = join(root, `home${round++}`);
  mkdirSync(home);
});

describe('hansard hooks', () => {
  test('installs, tells, and takes out again', async () => {
    const installed = await run('install', 'gemini');
    expect([installed.code, installed.stderr]).toEqual([0, '']);
    expect(installed.stdout).toMatch(/^7 hooks added to .*settings\.json: SessionStart, /);
    expect(readFileSync(join(home, '.gemini/settings.json'), 'utf8')).toContain('hook.mjs');
    expect((await run('status')).stdout).toMatch(/gemini +7 of 7 /);
    expect((await run('uninstall', 'gemini')).stdout).toMatch(/^Hooks removed from /);
    expect(existsSync(join(home, '.gemini/settings.json'))).toBe(false);
  });

  test('a dry run changes nothing and says so', async () => {
    expect((await run('install', 'claude', '--dry-run')).stdout).toMatch(/^Dry run: /);
    expect(existsSync(join(home, '.claude'))).toBe(false);
  });

  test('an agent whose hooks nobody knows is a usage error that names those that are known', async () => {
    expect(await run('install', 'nobody')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('claude, codex, gemini'),
    });
  });

  test('the JSON document is one line for programs', async () => {
    const { stdout } = await run('install', 'codex', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, changed: true, remark: expect.stringContaining('/hooks') });
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({
      version: 1,
      agents: [{}, { agent: 'codex' }, {}],
    });
  });

  test('`hansard hook` itself ends with 0 and prints nothing, whatever it is given', async () => {
    const ran = await runCli(['hook', 'claude', 'Stop'], { home: root, env: { HOME: home } });
    expect(ran).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
  });
});
