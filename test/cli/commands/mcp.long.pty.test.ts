import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { SmallApp } from '../../mcp/bridge/bridgeBed.ts';
import { suiteFolder } from '../../store/suiteFolder.ts';
import { CLI } from '../../support/builtProgram.ts';
import { ROOT } from '../../support/sourceFiles.ts';
import { cliEnv, finished, runCli } from '../runCli.ts';

const root = suiteFolder('cli-mcp');
let round = 0;
let home = '';
let data = '';
const run = (...args: string[]) => runCli(['mcp', ...args], { home: data, env: { HOME: home } });

beforeEach(() => {
  home = join(root, `home${round++}`);
  data = join(home, 'data');
  mkdirSync(data, { recursive: true, mode: 0o700 });
});

describe('hansard mcp setup', () => {
  test('writes absolute paths and the data folder that is meant, and takes all of it out again', async () => {
    const file = join(home, '.codex/config.toml');
    mkdirSync(join(home, '.codex'));
    writeFileSync(file, 'model = "m" # mine\n');
    expect(await run('setup', 'codex', '--profile', 'observe')).toMatchObject({ code: 0, stderr: '' });
    const args = [join(ROOT, 'resources/bin/hansard.mjs'), 'mcp', '--profile', 'observe', '--home', data];
    expect(readFileSync(file, 'utf8')).toBe(
      `model = "m" # mine\n\n[mcp_servers.hansard]\ncommand = "${process.execPath}"\nargs = ${JSON.stringify(args).replaceAll(',', ', ')}\n`,
    );
    expect((await run('setup', 'codex', '--profile', 'observe')).stdout).toMatch(/^Nothing to do: /);
    expect((await run('setup', 'codex', '--uninstall')).stdout).toMatch(/^Hansard is taken out of /);
    expect(readFileSync(file, 'utf8')).toBe('model = "m" # mine\n');
  });

  test('shows what it would do, and leaves alone what it cannot read', async () => {
    expect((await run('setup', 'zed', '--dry-run')).stdout).toMatch(/^Dry run: .*\n\+ \{\n\+ {3}"context_servers": \{/);
    expect(existsSync(join(home, '.config'))).toBe(false);
    mkdirSync(join(home, '.cursor'));
    writeFileSync(join(home, '.cursor/mcp.json'), '{ oops }');
    expect(await run('setup', 'cursor')).toMatchObject({
      code: 66,
      stderr: expect.stringContaining(
        'what stands here is neither a value nor a name in double quotes at line 1, column 3',
      ),
    });
  });

  test('--channel is written down for a client that has channels, and refused for one that has none', async () => {
    const { code, stdout } = await run('setup', 'claude', '--channel');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('--dangerously-load-development-channels server:hansard'),
    ]);
    const { mcpServers } = JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'));
    expect(mcpServers.hansard.args.slice(1)).toEqual(['mcp', '--channel', '--home', data]);
    expect(await run('setup', 'codex', '--channel')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('Codex does not support channels'),
    });
    expect(existsSync(join(home, '.codex'))).toBe(false);
  });

  test('a client that nobody knows is a usage error that names those that are known', async () => {
    expect(await run('setup', 'nobody')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('claude, gemini, codex'),
    });
  });
});

describe('hansard mcp doctor', () => {
  const checksOf = (stdout: string): [string, string][] =>
    (JSON.parse(stdout) as { checks: { id: string; status: string }[] }).checks.map(({ id, status }) => [id, status]);

  test('goes the whole way when all is well', async () => {
    const app = await SmallApp.start(data);
    await run('setup', 'claude');
    const { code, stdout } = await run('doctor', '--json');
    await app.end();
    expect([code, checksOf(stdout)]).toEqual([
      0,
      [
        ['mcp.endpoint', 'ok'],
        ['mcp.process', 'ok'],
        ['mcp.socket', 'ok'],
        ['mcp.handshake', 'ok'],
        ['mcp.tools', 'ok'],
        ['mcp.call', 'ok'],
        ['mcp.http', 'note'],
        ['mcp.policy', 'note'],
        ['mcp.client.claude', 'ok'],
      ],
    ]);
  });

  test('tells where the way breaks: no app, one that is gone, one that does not let us in', async () => {
    expect(await run('doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✗ no Hansard runs with an MCP socket/),
    });
    const app = await SmallApp.start(data, { token: 'wrong' });
    const refused = await run('doctor', '--json');
    expect([refused.code, checksOf(refused.stdout)[3]]).toEqual([1, ['mcp.handshake', 'bad']]);
    await app.end();
    const gone = await run('doctor', '--json');
    expect([gone.code, checksOf(gone.stdout)[1]]).toEqual([1, ['mcp.process', 'bad']]);
  });

  test('tells the line of a policy that cannot be read, and a client that would start what is not there', async () => {
    writeFileSync(join(data, 'policy.json'), '{\n  "version": }', { mode: 0o600 });
    writeFileSync(join(home, '.claude.json'), '{"mcpServers":{"hansard":{"command":"/gone","args":[]}}}');
    const { stdout } = await run('doctor');
    expect(stdout).toMatch(/✗ .*policy\.json is not used, so nothing is allowed: .*line 2/);
    expect(stdout).toMatch(/✗ Claude Code would start what is not there: \/gone .*\n {4}→ hansard mcp setup claude/);
  });
});

describe('hansard mcp', () => {
  test('is a bridge: protocol on stdout, sentences on stderr, and ends with its client', async () => {
    const child = spawn(process.execPath, [CLI, 'mcp', '--home', data], {
      env: cliEnv({ home: data }),
      stdio: 'pipe',
    });
    child.stdin.end(
      `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'pty_list' } })}\n`,
    );
    const { code, stdout, stderr } = await finished(child);
    expect([code, JSON.parse(stdout), stderr]).toMatchObject([
      0,
      { id: 1, result: { isError: true, structuredContent: { code: 'APP_NOT_RUNNING' } } },
      expect.stringMatching(/^hansard mcp: Hansard is not running; .*\n$/),
    ]);
  });

  test('an option that it does not know is a usage error', async () => {
    expect(await run('--profile', 'everything')).toMatchObject({ code: 64, stdout: '' });
  });
});
