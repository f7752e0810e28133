import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changeSetup } from '../../../src-main/mcp/setup/changeSetup.ts';
import { SETUP_CLIENTS } from '../../../src-main/mcp/setup/clients/all.ts';
import { binFolders, installedVersion } from '../../agents/launch/Agent.ts';
import { AGENTS } from '../../agents/launch/agents.ts';
import { finished, type Ran } from '../../cli/runCli.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { bridgeCommand } from '../bridge/bridgeBed.ts';

const root = suiteFolder('mcp-real');

/** Output of a client's program about its servers, with only our entry in its home. */
async function ask(name: string, args: readonly string[]): Promise<Ran & { command: string }> {
  const home = join(root, name);
  mkdirSync(join(home, 'project'), { recursive: true, mode: 0o700 });
  const client = SETUP_CLIENTS.find((one) => one.name === name);
  if (!client) throw new Error(`no client ${name}`);
  const { command, args: ours } = bridgeCommand(join(home, 'data'));
  const place = { home, platform: process.platform, env: {} };
  await changeSetup(client, place, { command: { command, args: ours }, isDryRun: false });
  const PATH = [...binFolders(AGENTS), process.env.PATH].join(':');
  const env = { PATH, HOME: home, TERM: 'dumb', GEMINI_API_KEY: 'dummy', DISABLE_AUTOUPDATER: '1' };
  const child = spawn(name, args, { cwd: join(home, 'project'), env, stdio: ['ignore', 'pipe', 'pipe'] });
  return { ...(await finished(child)), command };
}

const installed = (name: string): boolean => {
  const agent = AGENTS.find((one) => one.name === name);
  return agent !== undefined && installedVersion(agent) !== null;
};

describe('a real client reads what was written', () => {
  test.runIf(installed('claude'))('claude starts the bridge and finds it well, with no Hansard running', async () => {
    const { stdout } = await ask('claude', ['mcp', 'get', 'hansard']);
    expect(stdout).toMatch(/Scope: User config[\s\S]*Connected[\s\S]*Type: stdio/);
  });

  test.runIf(installed('codex'))('codex', async () => {
    const { stdout, command } = await ask('codex', ['mcp', 'get', 'hansard', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'hansard', enabled: true, transport: { type: 'stdio', command } });
  });

  test.runIf(installed('gemini'))('gemini', async () => {
    const { stdout, stderr, command } = await ask('gemini', ['mcp', 'list']);
    expect(stdout + stderr).toContain(`hansard: ${command} `);
  });
});
