import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../cli/runCli.ts';
import { call, connectClient } from '../mcp/mcpClient.ts';
import { appOnSmallDisk } from '../support/appOnSmallDisk.ts';
import { connectTo } from '../support/coreClient.ts';
import { soon } from '../support/soon.ts';

const POLICY = {
  version: 1,
  clients: { '*': { scopes: ['exec'] } },
  exec: { allow: [{ argv: ['echo'] }] },
  input: { typing_hold_ms: 1000 },
};
const REFUSED = expect.stringContaining('The disk has refused it so far');
const NOT_ON_DISK = expect.stringMatching(/the last \d+ bytes of this block are not on disk/);

/** Without the host the core writes the record itself. */
test.for(['on', 'off'])(
  'with the PTY host %s, no reader takes what a full disk has refused for an empty or whole output',
  async (host, { skip }) => {
    const { app, disk } = appOnSmallDisk(host);
    const { home } = app;
    if (!disk.isMounted) skip('no tmpfs can be mounted here');
    await app.start();
    const { api, dispose } = connectTo(home);
    onTestFinished(dispose);
    const { client, close } = await connectClient(home);
    onTestFinished(close);
    const { id } = await api.terminal.open.mutate({ shell: '/bin/bash', cols: 80, rows: 24 });
    const blockOf = async (cmd: string) =>
      (await api.block.page.query({ terminalId: id, limit: 9 })).blocks.find((block) => block.cmd === cmd);
    const begin = async (cmd: string) => {
      await soon(async () => (await api.terminal.submit.mutate({ id, text: cmd })).ok).toBe(true);
      await soon(async () => (await blockOf(cmd))?.status).toBeTruthy();
      return `${id}.${(await blockOf(cmd))?.id}`;
    };
    const ended = async (cmd: string) => {
      const ref = await begin(cmd);
      await soon(async () => (await blockOf(cmd))?.status).toBe('completed');
      return ref;
    };
    const mcp = (tool: string, args: Record<string, unknown>) => call(client, tool, args).then(JSON.stringify, String);
    const cli = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await runCli(args, { home });
      return { code, stdout, stderr };
    };
    const idOf = (ref: string) => ref.slice(ref.indexOf('.') + 1);
    const find = (query: string) => api.block.find.query({ terminalId: id, query, regex: false, limit: 9 });
    writeFileSync(join(home, 'policy.json'), JSON.stringify(POLICY), { mode: 0o600 });

    const begun = 'echo begun; read a; seq 2000; echo needle; read b; echo over';
    const whole = await ended('echo needle');
    const running = await begin(begun);
    disk.fill();
    await api.terminal.write.mutate({ id, data: 'x\r' }); // the output is more than the last page of the file has room for
    await soon(() => mcp('blocks_read', { block_id: running })).toContain('UNREADABLE');
    await soon(() => mcp('blocks_read', { block_id: running, view: 'plain' })).toContain('UNREADABLE');
    expect(await cli('block', idOf(running))).toMatchObject({ code: 69, stdout: '', stderr: REFUSED });
    await api.terminal.write.mutate({ id, data: 'y\r' });
    await soon(async () => (await blockOf(begun))?.status).toBe('completed');
    const alive = await ended('echo needle alive');
    for (const ref of [running, alive]) {
      await soon(() => mcp('blocks_read', { block_id: ref })).toContain('UNREADABLE');
      expect(await mcp('blocks_read', { block_id: ref, grep: 'alive|over' })).toContain('UNREADABLE');
      expect(await mcp('blocks_search', { block_id: ref, query: 'needle', scope: 'output' })).toContain('UNREADABLE');
      expect(await mcp('blocks_get', { block_id: ref })).toContain(`${idOf(ref)}.out is not whole`);
      expect(await cli('block', idOf(ref))).toMatchObject({ code: 69, stdout: '', stderr: REFUSED });
      expect(await cli('block', '--raw', idOf(ref))).toMatchObject({ code: 65, stderr: NOT_ON_DISK });
    }
    expect(await mcp('blocks_read', { block_id: whole })).toContain('needle');
    expect(await mcp('blocks_search', { query: 'needle' })).toMatch(
      /"truncated":true.*"unreadable":\[".*\/blocks\/b3-/,
    );
    expect(await cli('search', 'needle')).toMatchObject({
      stderr: expect.stringContaining('2005 lines were not searched'),
    });
    expect(await find('needle')).toMatchObject({
      hits: [{ n: 0 }],
      error: expect.stringMatching(/an output was not searched/),
    });
    expect(await mcp('pty_exec', { pty_id: id, cmd: 'echo client', wait_ms: 9000 })).toMatch(
      /"exit_code":0.*"output_unreadable":/,
    );

    disk.free();
    await soon(() => mcp('blocks_read', { block_id: alive })).toContain('needle alive');
    await soon(() => mcp('blocks_read', { block_id: running })).toContain('over');
    expect(await find('needle')).toMatchObject({ hits: [{ n: 0 }, { n: 2002 }, { n: 0 }], error: null });
    expect(await cli('block', idOf(alive))).toEqual({ code: 0, stdout: 'needle alive\n', stderr: '' });
    expect((await cli('block', '--raw', idOf(alive))).stdout).toBe('needle alive\r\n');
  },
);
