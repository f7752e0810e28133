import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listedTools } from '../../src-main/mcp/server/catalog.ts';
import { installDrawnAgent } from '../support/installDrawnAgent.ts';
import { type Connected, connectClient } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

/** Limit of mcp.md for the list of tools, which a model reads before its first call. */
const MAX_LIST_BYTES = 24 * 1024;
const MAX_TASK_TOKENS = 700;
/** Estimate without a tokenizer: English and JSON have about four characters per token. */
const CHARS_PER_TOKEN = 4;

describe('the list of tools', () => {
  test('has at most 20 tools, 24 KB and 600 characters a description', () => {
    const tools = listedTools('full');
    expect(tools.length).toBeLessThanOrEqual(20);
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(MAX_LIST_BYTES);
    expect(tools.filter(({ description }) => description.length > 600).map(({ name }) => name)).toEqual([]);
  });

  test('says one thing by one name: how long a call waits, and since when', () => {
    const named = (name: string) =>
      listedTools('full').filter(({ inputSchema }) => name in (inputSchema.properties as object));
    expect(named('timeout_ms')).toEqual([]);
    for (const { inputSchema } of named('since'))
      expect((inputSchema.properties as Record<string, object>).since).toMatchObject({
        description: expect.stringContaining('ISO date'),
      });
  });
});

/** Calls of a model and their cost in tokens: names, arguments, and the larger of the two forms of each result. */
class Task {
  readonly #client: Client;
  calls = 0;
  chars = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  // biome-ignore lint/suspicious/noExplicitAny: each test checks the fields that it needs
  async call(name: string, args: Record<string, unknown> = {}): Promise<Record<string, any>> {
    const result = await this.#client.callTool({ name, arguments: args });
    const content = result.content as { text?: string }[];
    const text = content.map((part) => part.text ?? '').join('');
    const structured = JSON.stringify(result.structuredContent);
    this.calls += 1;
    this.chars += JSON.stringify({ name, arguments: args }).length + Math.max(text.length, structured.length);
    expect(result.isError, text).toBeFalsy();
    return result.structuredContent as Record<string, unknown>;
  }

  get tokens(): number {
    return Math.ceil(this.chars / CHARS_PER_TOKEN);
  }
}

describe('a task that people give an agent', () => {
  const served = new ServedMcp();
  let link: Awaited<ReturnType<ServedMcp['start']>>['link'];
  let mcp: Connected;
  let id: string;
  let agent: string;
  const figures: string[] = [];

  beforeAll(async () => {
    ({ link, id, mcp } = await served.start({ cols: 100, rows: 30 }));
    await mcp.close();
    mcp = await connectClient(served.app.home, { name: 'model' });
    const policy = {
      version: 1,
      clients: { '*': { scopes: ['input'] } },
      input: { default: 'allow', typing_hold_ms: 1000 },
    };
    writeFileSync(join(served.app.home, 'policy.json'), JSON.stringify(policy), { mode: 0o600 });
    ({ id: agent } = await link.api.terminal.open.mutate({ shell: '/bin/bash', cols: 100, rows: 30 }));
    await runIn(link.api, id, 'true');
    await runIn(link.api, agent, 'true');
    await link.api.terminal.submit.mutate({ id: agent, text: installDrawnAgent(served.app.home) });
  }, 60_000);

  afterAll(async () => {
    console.log(['', 'task · calls · tokens (characters / 4)', ...figures].join('\n'));
    await mcp.close();
    await served.dispose();
  });

  async function measure(title: string, run: (task: Task) => Promise<void>): Promise<void> {
    const task = new Task(mcp.client);
    await run(task);
    figures.push(`${title} · ${task.calls} · ${task.tokens}`);
    expect(task.tokens).toBeLessThanOrEqual(MAX_TASK_TOKENS);
  }

  test('what is the error of a build with 3,000,000 lines', async () => {
    const error = 'src/parser.c:118:9: error: unknown type name "tokn"';
    const cmd = `seq 1 1700000; printf '%s\\n' '${error}' >&2; seq 1700001 2999999; echo 'make: *** [all] Error 2'; (exit 2)`;
    const { outputLines } = await runIn(link.api, id, cmd);
    expect(outputLines).toBeGreaterThanOrEqual(3_000_000);
    await measure('an error in a build of 3,000,000 lines', async (task) => {
      const { blocks } = await task.call('blocks_since', { failed: true, limit: 1 });
      const { text } = await task.call('blocks_read', { block_id: blocks[0].block_id, grep: 'error:', context: 1 });
      expect(text).toContain(error);
      expect(text).toContain('\n1700000\n');
    });
    await measure('the same by a search', async (task) => {
      const { matches } = await task.call('blocks_search', { query: 'error', scope: 'output', limit: 3 });
      expect(matches).toMatchObject([{ text: 'make: *** [all] Error 2', middle_not_searched: true }]);
      const { block_id } = matches[0];
      const all = await task.call('blocks_search', { query: 'error', scope: 'output', block_id });
      expect(all.matches.map((match: { text: string }) => match.text)).toContain(error);
    });
  }, 120_000);

  test('what failed in the last hour', async () => {
    for (const cmd of ['ls /nowhere', 'echo fine', '(exit 4)', 'grep nothing /dev/null'])
      await runIn(link.api, id, cmd);
    await measure('what failed in the last hour', async (task) => {
      const { blocks, has_more } = await task.call('blocks_since', { status: 'failed', since: '1h' });
      const failed = blocks.map(({ cmd, exit_code }: { cmd: string; exit_code: number }) => [cmd, exit_code]);
      expect(failed.slice(-3)).toEqual([
        ['ls /nowhere', 2],
        ['(exit 4)', 4],
        ['grep nothing /dev/null', 1],
      ]);
      expect(has_more).toBe(false);
    });
  }, 60_000);

  test('wait until a server is ready', async () => {
    const isServer = ({ runs = '' }: { runs?: string }) => runs.includes('listening on');
    await link.api.terminal.submit.mutate({
      id,
      text: 'sleep 2; echo "listening on http://127.0.0.1:8123"; sleep 1; echo bye',
    });
    const running = async () => (await new Task(mcp.client).call('pty_list')).ptys.find(isServer);
    await expect.poll(running, { timeout: 10_000 }).toBeDefined();
    await measure('wait until a server is ready', async (task) => {
      const { pty_id } = (await task.call('pty_list')).ptys.find(isServer);
      expect(pty_id).toBe(id);
      const { outcome, match } = await task.call('pty_snapshot_wait', {
        pty_id: id,
        search: 'listening on \\S+',
        wait_ms: 30_000,
        max_chars: 400,
      });
      expect(['matched', 'immediate']).toContain(outcome);
      expect(match.text).toBe('listening on http://127.0.0.1:8123');
    });
    await expect.poll(async () => (await new Task(mcp.client).call('pty_status', { pty_id: id })).state).toBe('idle');
  }, 60_000);

  test('answer a y/n prompt', async () => {
    await link.api.terminal.submit.mutate({ id, text: 'read -p "Overwrite the file? [y/N] " a; echo "you said $a"' });
    const waits = async () => (await new Task(mcp.client).call('pty_status', { pty_id: id })).waits_for;
    await expect.poll(waits, { timeout: 10_000 }).toBe('line');
    await measure('answer a y/n prompt', async (task) => {
      const { waits_for } = await task.call('pty_status', { pty_id: id });
      expect(waits_for).toBe('line');
      const { evidence } = await task.call('pty_send', {
        pty_id: id,
        text: 'y',
        submit: true,
        if_screen_matches: '\\[y/N\\]',
      });
      expect(evidence).not.toBe('none');
    });
    await expect
      .poll(async () => (await new Task(mcp.client).call('pty_snapshot', { pty_id: id })).text)
      .toContain('you said y');
  }, 60_000);

  test('what did the agent in tab 2 say last', async () => {
    const state = async () => (await new Task(mcp.client).call('agents_list')).agents[0]?.state;
    await expect.poll(state, { timeout: 20_000 }).toBe('idle');
    await new Task(mcp.client).call('agents_prompt', { pty_id: agent, text: 'Say something.', wait_ms: 30_000 });
    const last = { kinds: ['model'], limit: 1, max_chars: 600 };
    // Rows that did not fit on the screen are a marked gap until a full redraw after the turn.
    const said = async () =>
      (await new Task(mcp.client).call('agents_read', { pty_id: agent, ...last })).messages[0]?.text;
    await expect.poll(said, { timeout: 20_000 }).toContain('Row 01 of the answer to Say');
    await measure('what did the agent in tab 2 say last', async (task) => {
      const { agents } = await task.call('agents_list');
      const { pty_id } = agents.find(({ tab }: { tab: number }) => tab === 2);
      const { messages } = await task.call('agents_read', { pty_id, ...last });
      expect(messages).toMatchObject([
        { actor: 'codex', text: expect.stringContaining('Row 01 of the answer to Say') },
      ]);
    });
  }, 60_000);

  test('what did one line of output cost', async () => {
    await runIn(link.api, id, 'echo one line');
    const task = new Task(mcp.client);
    await task.call('blocks_since', { limit: 1 });
    figures.push(`one line of output, by blocks_since · ${task.calls} · ${task.tokens}`);
    expect(task.chars).toBeLessThan(700);
  });
});
