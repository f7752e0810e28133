import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeSetup, readSetup } from '../../../src-main/mcp/setup/changeSetup.ts';
import { SETUP_CLIENTS } from '../../../src-main/mcp/setup/clients/all.ts';
import type { SetupClient } from '../../../src-main/mcp/setup/SetupClient.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import { jsonConfig, tomlConfig } from './configs.ts';

const root = suiteFolder('mcp-setup');
let round = 0;
const place = () => ({ home: join(root, `h${round++}`), platform: 'linux' as const, env: {} });
const command = { command: '/usr/bin/node', args: ['/opt/hansard.mjs', 'mcp'] };
const named = (name: string): SetupClient => {
  const found = SETUP_CLIENTS.find((client) => client.name === name);
  if (!found) throw new Error(`no client ${name}`);
  return found;
};
const install = { command, isDryRun: false };
const uninstall = { command: null, isDryRun: false };
const put = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

describe.each(SETUP_CLIENTS.map((client) => [client.name, client] as const))('%s', (_, client) => {
  test('uninstall brings back what was there, byte for byte, whatever it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.option(client.format === 'toml' ? tomlConfig : jsonConfig), async (text) => {
        const at = place();
        const file = client.configFile(at);
        if (text !== null) put(file, text);
        expect(await changeSetup(client, at, install)).toMatchObject({ ok: true, isChanged: true });
        expect((await readSetup(client, at)).entry).toMatchObject(client.entry(command));
        expect(await changeSetup(client, at, install)).toMatchObject({ ok: true, isChanged: false });
        expect(await changeSetup(client, at, uninstall)).toMatchObject({ ok: true, isChanged: true, backup: null });
        expect(existsSync(file) ? readFileSync(file, 'utf8') : null).toBe(text);
        expect(existsSync(`${file}.hansard-mcp.bak`)).toBe(false);
      }),
      fuzzRuns(30),
    );
  });

  test('a dry run tells the lines and changes nothing', async () => {
    const at = place();
    const told = await changeSetup(client, at, { command, isDryRun: true });
    expect(told).toMatchObject({ ok: true, isChanged: true, backup: null });
    expect(told.ok && told.diff.join('\n')).toMatch(/^\+ .*hansard/m);
    expect(existsSync(client.configFile(at))).toBe(false);
  });
});

describe('a file', () => {
  const client = named('gemini');

  test('that somebody changed meanwhile loses our entry and nothing else; the backup stays', async () => {
    const at = place();
    const file = client.configFile(at);
    put(file, '{ "a": 1 }');
    await changeSetup(client, at, install);
    put(file, readFileSync(file, 'utf8').replace('"a": 1', '"a": 2, "b": true'));
    const done = await changeSetup(client, at, uninstall);
    expect([readFileSync(file, 'utf8'), done]).toEqual([
      '{ "a": 2, "b": true }',
      expect.objectContaining({ backup: `${file}.hansard-mcp.bak` }),
    ]);
  });

  test('keeps its mode, a new one is for its owner alone, and a link stays a link', async () => {
    const at = place();
    const file = client.configFile(at);
    const target = join(at.home, 'dotfiles', 'settings.json');
    put(target, '{}');
    chmodSync(target, 0o640);
    mkdirSync(dirname(file), { recursive: true });
    symlinkSync(target, file);
    await changeSetup(client, at, install);
    expect([lstatSync(file).isSymbolicLink(), statSync(target).mode & 0o777]).toEqual([true, 0o640]);
    expect(readFileSync(target, 'utf8')).toContain('hansard');
    const fresh = place();
    await changeSetup(client, fresh, install);
    expect(statSync(client.configFile(fresh)).mode & 0o777).toBe(0o600);
  });

  test('that makes no sense is left alone, and the place is told', async () => {
    const at = place();
    const file = client.configFile(at);
    put(file, '{\n  "a": 1\n  "b": 2\n}');
    expect(await changeSetup(client, at, install)).toEqual({
      ok: false,
      file,
      reason: 'a comma is expected at line 3, column 3',
    });
    expect(readFileSync(file, 'utf8')).toBe('{\n  "a": 1\n  "b": 2\n}');
  });

  test('is found where the client is told to look for it', () => {
    const at = { home: '/h', platform: 'linux' as const };
    const told = { CLAUDE_CONFIG_DIR: '/c', GEMINI_CLI_HOME: '/g', CODEX_HOME: '/x', XDG_CONFIG_HOME: '/d' };
    const files = (env: Record<string, string>) => SETUP_CLIENTS.map((one) => one.configFile({ ...at, env }));
    expect(files({})).toEqual([
      '/h/.claude.json',
      '/h/.gemini/settings.json',
      '/h/.codex/config.toml',
      '/h/.config/Code/User/mcp.json',
      '/h/.cursor/mcp.json',
      '/h/.config/zed/settings.json',
    ]);
    expect(files(told)).toEqual([
      '/c/.claude.json',
      '/g/.gemini/settings.json',
      '/x/config.toml',
      '/d/Code/User/mcp.json',
      '/h/.cursor/mcp.json',
      '/d/zed/settings.json',
    ]);
  });
});
