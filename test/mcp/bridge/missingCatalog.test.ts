import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { runBridge } from '../../../src-main/mcp/bridge/runBridge.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { soon } from '../../support/soon.ts';

test('lists that an update is replacing are read again at the next request', async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const complaints: string[] = [];
  let answers = '';
  stdout.on('data', (data: Buffer) => {
    answers += data.toString();
  });
  let isThere = false;
  const bridge = runBridge({
    ...{ stdin, stdout, clock: new FakeClock(), uid: 1, self: { pid: 1, ppid: 1, cwd: '/' }, profile: 'standard' },
    ...{ hasChannel: false, version: '1', ownPrefix: 'own-', locate: () => [] },
    complain: (sentence) => complaints.push(sentence),
    loadCatalog: async () => {
      if (!isThere) throw new Error('ENOENT: no such file');
      return {
        ...{ tools: [{ name: 'pty_list' }], prompts: [], resourceTemplates: [] },
        instructions: '',
        serverInfo: { name: 'hansard', version: '1' },
      };
    },
  });
  const ask = async (id: number): Promise<unknown> => {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params: {} })}\n`);
    await soon(() => answers.split('\n').length).toBe(id + 1);
    return JSON.parse(answers.split('\n')[id - 1] ?? '');
  };
  expect(await ask(1)).toMatchObject({ id: 1, error: { data: { code: 'APP_NOT_RUNNING' } } });
  expect(complaints).toContain('the lists cannot be read: ENOENT: no such file');
  isThere = true;
  expect(await ask(2)).toMatchObject({ id: 2, result: { tools: [{ name: 'pty_list' }] } });
  stdin.end();
  await bridge;
});
