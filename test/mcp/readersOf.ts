import { onTestFinished } from 'vitest';
import { runCli } from '../cli/runCli.ts';
import { connectTo } from '../support/coreClient.ts';
import { soon } from '../support/soon.ts';
import type { ServedApp } from '../support/WebApp.ts';
import { call, connectClient } from './mcpClient.ts';

/**
 * Starts the app with a bash, for whose commands `begin` and `ended` return the block's id, and connects readers of all kinds. They end with the
 * test.
 */
export async function readersOf(app: ServedApp) {
  const { home } = app;
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
    return (await blockOf(cmd))?.id ?? '';
  };
  return {
    ...{ api, id, begin, blockOf },
    ended: async (cmd: string) => {
      const block = await begin(cmd);
      await soon(async () => (await blockOf(cmd))?.status).toBe('completed');
      return block;
    },
    mcp: (tool: string, args: Record<string, unknown>) => call(client, tool, args).then(JSON.stringify, String),
    cli: async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await runCli(args, { home });
      return { code, stdout, stderr };
    },
  };
}
