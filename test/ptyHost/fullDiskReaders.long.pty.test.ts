import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readersOf } from '../mcp/readersOf.ts';
import { appOnSmallDisk } from '../support/appOnSmallDisk.ts';
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
    const { api, id, begin, ended, blockOf, mcp, cli } = await readersOf(app);
    const ref = (blockId: string) => `${id}.${blockId}`;
    const find = (query: string) => api.block.find.query({ terminalId: id, query, regex: false, limit: 9 });
    writeFileSync(join(home, 'policy.json'), JSON.stringify(POLICY), { mode: 0o600 });

    const begun = 'echo begun; read a; seq 2000; echo needle; read b; echo over';
    const whole = await ended('echo needle');
    const running = await begin(begun);
    disk.fill();
    await api.terminal.write.mutate({ id, data: 'x\r' }); // the output is more than the last page of the file has room for
    await soon(() => mcp('blocks_read', { block_id: ref(running) })).toContain('UNREADABLE');
    await soon(() => mcp('blocks_read', { block_id: ref(running), view: 'plain' })).toContain('UNREADABLE');
    expect(await cli('block', running)).toMatchObject({ code: 69, stdout: '', stderr: REFUSED });
    await api.terminal.write.mutate({ id, data: 'y\r' });
    await soon(async () => (await blockOf(begun))?.status).toBe('completed');
    const alive = await ended('echo needle alive');
    for (const blockId of [running, alive]) {
      await soon(() => mcp('blocks_read', { block_id: ref(blockId) })).toContain('UNREADABLE');
      expect(await mcp('blocks_read', { block_id: ref(blockId), grep: 'alive|over' })).toContain('UNREADABLE');
      expect(await mcp('blocks_search', { block_id: ref(blockId), query: 'needle', scope: 'output' })).toContain(
        'UNREADABLE',
      );
      expect(await mcp('blocks_get', { block_id: ref(blockId) })).toContain(`${blockId}.out is not whole`);
      expect(await cli('block', blockId)).toMatchObject({ code: 69, stdout: '', stderr: REFUSED });
      expect(await cli('block', '--raw', blockId)).toMatchObject({ code: 65, stderr: NOT_ON_DISK });
    }
    expect(await mcp('blocks_read', { block_id: ref(whole) })).toContain('needle');
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
    await soon(() => mcp('blocks_read', { block_id: ref(alive) })).toContain('needle alive');
    await soon(() => mcp('blocks_read', { block_id: ref(running) })).toContain('over');
    expect(await find('needle')).toMatchObject({ hits: [{ n: 0 }, { n: 2002 }, { n: 0 }], error: null });
    expect(await cli('block', alive)).toEqual({ code: 0, stdout: 'needle alive\n', stderr: '' });
    expect((await cli('block', '--raw', alive)).stdout).toBe('needle alive\r\n');
  },
);
