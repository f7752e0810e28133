import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SearchEvent } from '../../src-main/contract/search.ts';
import { spawnNodePty } from '../../src-main/pty/NodePty.ts';
import { withoutMachine } from '../../src-main/shared/machineIds.ts';
import { inPieces } from '../../src-renderer/rpc/inPieces.ts';
import { runIn } from '../mcp/runIn.ts';
import { CLI } from '../support/builtProgram.ts';
import { soon } from '../support/soon.ts';
import { ROOT } from '../support/sourceFiles.ts';
import { shellEnv } from '../support/WebApp.ts';
import { DrawnFarAgent } from './rig/FarAgent.ts';
import { FarMachine } from './rig/FarMachine.ts';
import { SSHD } from './rig/findProgram.ts';

const MEGABYTE = 1024 * 1024;
const TIME = { timeout: 30_000 };
const started: { dispose(): unknown }[] = [];
afterEach(async () => {
  for (const each of started.splice(0).reverse()) await each.dispose();
});

async function far(options: Parameters<typeof FarMachine.start>[0] = {}): Promise<FarMachine> {
  const machine = await FarMachine.start(options);
  started.push(machine);
  return machine;
}

/** Runs `hansard attach` on a terminal into which the test types. */
function attached({ core, client }: FarMachine, id: string) {
  const env = { ...shellEnv(), ...client.env, HANSARD_HOME: core.home, TERM: 'xterm-256color' };
  const pty = spawnNodePty({ file: process.execPath, argv: [CLI, 'attach', id], cwd: ROOT, env, cols: 90, rows: 30 });
  started.push(pty);
  let text = '';
  pty.onBytes((bytes) => {
    text += Buffer.from(bytes).toString();
  });
  const ended = new Promise<number | null>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  const shows = (words: string | RegExp): Promise<unknown> => vi.waitFor(() => expect(text).toMatch(words), TIME);
  return { type: (keys: string) => pty.write(Buffer.from(keys)), shows, ended };
}

describe.skipIf(SSHD === null)('a machine behind a line that breaks', () => {
  test('gets a paste of 1 MB at most once, and an outcome that is true', { timeout: 240_000 }, async () => {
    const machine = await far({ bytesPerSecond: 2 * MEGABYTE });
    const { api, line, sshd } = machine;
    const id = await machine.open();
    const text = Array.from({ length: MEGABYTE / 8 }, (_, at) => `${at}`.padStart(7, '.').concat(' ')).join('');
    const outcomes = new Set<string>();
    for (const [round, afterMs] of [null, 0, 100, 250, 400, 700].entries()) {
      await machine.begin(id, `stty -icanon -echo -icrnl; cat > pasted${round}`);
      const pasting = inPieces(
        text,
        (piece) => api.upload.add.mutate({ id, ...piece }),
        (end) => api.terminal.paste.mutate({ id, ...end, confirmed: true }),
      ).then(
        () => 'ok',
        (error: Error) => error.message,
      );
      const losses = machine.losses;
      if (afterMs !== null) setTimeout(() => line.cut(), afterMs);
      const said = await pasting;
      if (afterMs !== null) await machine.hasLost(losses + 1);
      await machine.is('connected');
      const path = join(sshd.home, `pasted${round}`);
      const got = (): string => (existsSync(path) ? readFileSync(path, 'latin1') : '');
      await machine.give(() => api.terminal.write.mutate({ id, data: 'END\n' }));
      await soon(() => got().endsWith('END\n')).toBe(true);
      const pasted = got().slice(0, -'END\n'.length);
      expect(text.startsWith(pasted), `${pasted.length} characters of round ${round}`).toBe(true);
      if (said === 'ok') expect(pasted.length).toBe(text.length);
      else expect(said).toMatch(/whether this was done is not known|nothing was sent|send it again/);
      outcomes.add(said === 'ok' ? 'ok' : 'cut');
      await machine.give(() => api.terminal.write.mutate({ id, data: '\x03' }));
      await runIn(api, id, 'true');
    }
    expect([...outcomes].sort()).toEqual(['cut', 'ok']);
  });

  test('is forgotten when it cannot be reached, with the commands that remove the copy there', {
    timeout: 120_000,
  }, async () => {
    const copy = '.local/share/hansard/server/0.1.0/bin/hansard';
    const machine = await far({ prepare: (sshd) => sshd.installHansard(copy) });
    const { core, line, sshd } = machine;
    line.goDown();
    await machine.is('lost');
    const { code, stdout, stderr } = await core.run('hosts', 'forget', 'box');
    expect([code, stdout]).toEqual([0, 'Removed box. Its record stays there.\n']);
    expect(stderr).toContain('box cannot be reached, so the copy of Hansard');
    expect((await core.run('hosts', '--json')).stdout).toMatch(/"hosts": *\[\]/);
    const connections = line.connections;
    line.repair();
    const commands = [...stderr.matchAll(/`([^`]+)`/g)].map(([, command]) => command ?? '');
    expect(commands).toHaveLength(2);
    machine.client.point('box', sshd.port);
    expect(existsSync(join(sshd.home, copy))).toBe(true);
    expect(sshd.corePid).not.toBe(0);
    for (const command of commands) await sshd.run(command);
    expect([existsSync(join(sshd.home, '.local/share/hansard/server')), sshd.corePid]).toEqual([false, 0]);
    expect([line.connections, machine.state]).toEqual([connections, 'none']); // no try is left
  });

  test('is connected once more to be forgotten, after the person has disconnected it', {
    timeout: 120_000,
  }, async () => {
    const copy = '.local/share/hansard/server/0.1.0/bin/hansard';
    const { core, sshd } = await far({ prepare: (there) => there.installHansard(copy) });
    expect((await core.run('hosts', 'disconnect', 'box')).code).toBe(0);
    expect(existsSync(join(sshd.home, copy))).toBe(true);
    const { code, stdout, stderr } = await core.run('hosts', 'forget', 'box');
    expect([code, stdout, stderr]).toEqual([0, 'Removed box. Its record stays there.\n', '']);
    expect(existsSync(join(sshd.home, '.local/share/hansard/server'))).toBe(false);
    expect((await core.run('hosts', '--json')).stdout).toMatch(/"hosts": *\[\]/);
  });
});

describe.skipIf(SSHD === null)('the command line, on a terminal of another machine', () => {
  test('attaches to it, sends nothing while the line is cut, and shows it again', { timeout: 120_000 }, async () => {
    const machine = await far();
    const id = await machine.open();
    const { type, shows, ended } = attached(machine, id);
    await shows(/[$#] /);
    type('echo attached $((40 + 2))\r');
    await shows('attached 42');
    machine.line.goDown();
    await machine.is('lost');
    type('echo never typed\r');
    await shows('box is not connected, so nothing was sent.');
    machine.line.repair();
    await machine.is('connected');
    await soon(async () => (await machine.rows(id)).far.join('\n')).not.toContain('never');
    type('echo again $((40 + 3))\r');
    await shows('again 43');
    type('\x1cd');
    expect(await ended).toBe(0);
  });

  test('reads it, refuses what only its machine has, and still reads the others when the line is cut', {
    timeout: 240_000,
  }, async () => {
    const machine = await far();
    const { core, api } = machine;
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await core.run(...args);
      return { code, stdout, stderr };
    };
    const id = await machine.open();
    const { id: own } = await api.terminal.open.mutate({ cols: 80, rows: 24, shell: 'bash' });
    await runIn(api, own, 'echo near words');
    await runIn(api, id, 'echo far words');
    expect(await run('block', 'last')).toMatchObject({ code: 0, stdout: 'far words\n' });
    expect((await run('screen')).stdout).toContain('\nfar words\n'); // of the terminal used last
    await runIn(api, own, 'echo near again');
    expect((await run('screen', 'last')).stdout).toContain('\nnear again\n');
    await runIn(api, id, 'echo far again');
    const latest = attached(machine, 'last');
    await latest.shows(/far again/);
    latest.type('\x1cd'); // detaches
    expect(await latest.ended).toBe(0);
    expect(await run('screen', id)).toMatchObject({ code: 0, stdout: expect.stringContaining('\nfar words\n') });
    expect(await run('wait', id, '--prompt', '--timeout', '5')).toMatchObject({ code: 0 });
    await soon(async () => (await run('search', 'words', '-t', id)).stdout).toMatch(/:far words\n/);
    expect((await run('search', 'words', '-t', id)).stdout).not.toMatch(/near/);
    const file = join(mkdtempSync(join(tmpdir(), 'hansard-edges-')), 'out.cast');
    for (const args of [
      ['export', id, '-o', file],
      ['block', 'last', '-t', id, '--raw'],
      ['chats', '-t', id],
      ['chat', 'last', '-t', id],
    ])
      expect(await run(...args), args.join(' ')).toEqual({
        ...{ code: 66, stdout: '' },
        stderr: expect.stringContaining(
          `are on its machine (\`hansard hosts\`). Run the command there, with the id ${withoutMachine(id)}.`,
        ),
      });
    expect(existsSync(file)).toBe(false);

    await soon(async () => (await run('search', 'near')).stdout).toMatch(/:near words\n/);
    machine.line.goDown();
    await machine.is('lost');
    const absent = expect.stringMatching(/^hansard: box is not connected, so nothing was sent\./);
    expect(await run('block', 'last')).toEqual({ code: 0, stdout: 'near again\n', stderr: absent });
    expect((await run('blocks')).stdout).toContain('echo near words');
    expect((await run('screen')).stdout).toContain('\nnear again\n');
    for (const args of [
      ['blocks', id],
      ['block', 'last', '-t', id],
      ['screen', id],
      ['wait', id, '--prompt'],
    ])
      expect(await run(...args), args.join(' ')).toEqual({ code: 69, stdout: '', stderr: absent });
    const left = 'hansard: box was not searched: it is not connected.\n';
    expect(await run('search', 'near')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('near'),
      stderr: left,
    });
    expect(await run('search', 'far', '-t', id)).toEqual({ code: 69, stdout: '', stderr: left });
    const events: SearchEvent[] = [];
    api.search.find.subscribe({ query: 'far', terminalId: id }, { onData: (event) => events.push(event) });
    await soon(() => events).toMatchObject([{ type: 'end', unread: [{ path: 'machine box' }] }]);
  });

  test('lists its agents with what they ask, answers one, and says that its list may be old', {
    timeout: 240_000,
  }, async () => {
    const machine = await far();
    const { core, api, sshd } = machine;
    const agent = new DrawnFarAgent();
    await agent.start(machine, sshd.home);
    await soon(async () => (await machine.rows(agent.terminalId)).near.join('\n')).toContain(
      'Ask Codex to do anything',
    );
    await api.terminal.write.mutate({ id: agent.terminalId, data: 'ask 1\r' });
    await soon(async () => (await core.run('agents')).stdout).toMatch(/asks:\n(.*\n)+ *2\. .*don't ask again/);
    const { stdout } = await core.run('agents', '--json');
    const [{ conversationId }] = (JSON.parse(stdout) as { agents: [{ conversationId: string }] }).agents;
    expect((await core.run('agents', 'answer', conversationId, '2')).code).toBe(0);
    await soon(() => agent.done(['a']).seen).toBe(agent.done(['a']).right);
    machine.line.goDown();
    await machine.is('lost');
    expect(await core.run('agents')).toMatchObject({
      ...{ code: 0, stdout: expect.stringContaining(conversationId) },
      stderr: 'hansard: not connected: box. The list may be out of date.\n',
    });
    expect(await core.run('agents', 'reply', conversationId, 'more')).toMatchObject({
      ...{ code: 69, stderr: expect.stringMatching(/^hansard: box is not connected, so nothing was sent\./) },
    });
  });
});
