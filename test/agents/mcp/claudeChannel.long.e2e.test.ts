import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runIn } from '../../mcp/runIn.ts';
import { installedVersion } from '../launch/Agent.ts';
import { claude } from '../launch/claude.ts';
import type { ReadingModel } from '../scriptedModel/script.ts';
import { Bed } from './Bed.ts';
import { converse } from './converse.ts';
import { MCP_AGENTS } from './McpAgent.ts';

const AGENT = MCP_AGENTS.find(({ rig }) => rig === claude) as (typeof MCP_AGENTS)[number];
/** Limit for Claude Code to start and connect to its servers on a busy machine. */
const START_MS = 60_000;

/** Claude Code's log line about the channel: registered, or the reason why not. */
const VERDICT = /Channel notifications (registered|skipped: .*)/;
/** The reason without Anthropic's service, which enables channels. Claude Code checks server, capability, era and provider before it. */
const NOT_SWITCHED_ON = 'skipped: channels feature is not currently available';

test('Claude Code takes Hansard for a channel when it was set up as one, as far as it goes without its maker’s service', async (context) => {
  if (process.env.HANSARD_TEST_AGENTS !== '1') context.skip('the real agents are played where HANSARD_TEST_AGENTS=1');
  if (installedVersion(claude) === null) context.skip('claude is not installed (npm ci in test/agents)');
  const bed = await Bed.start([AGENT]);
  onTestFinished(() => bed.dispose());
  const { id: shell } = await bed.open();
  await runIn(bed.api, shell, 'true');

  expect((await bed.hansard('mcp', 'setup', 'claude')).code).toBe(0);
  const plain = await start(bed, 'plain');
  expect(plain.verdict).toBe('skipped: server did not declare claude/channel capability');
  await bed.close(plain.id);

  const setup = await bed.hansard('mcp', 'setup', 'claude', '--channel');
  expect([setup.code, setup.stderr]).toEqual([0, '']);
  const [, command = ''] =
    /so: (claude --dangerously-load-development-channels server:hansard) /.exec(setup.stdout) ?? [];
  expect(command).not.toBe('');
  const { seat, verdict, log } = await start(bed, 'channel');
  expect(['registered', NOT_SWITCHED_ON]).toContain(verdict);
  expect(log).toContain('"protocolEra":"legacy"');

  const first = await converse(
    AGENT,
    { prompt: 'Tell me when the ferry comes', replies: watching(shell) },
    { seat, model: bed.model },
  );
  expect(first.results.at(-1)?.text).toContain('"channel":true');
  await runIn(bed.api, shell, "printf 'the ferry %s\\n' 'is in'");
  const second = await converse(AGENT, { prompt: 'Is it in', replies: asking(shell) }, { seat, model: bed.model });
  expect(second.results.at(-1)?.text).toMatch(/"outcome":"matched","message":"go on board".*ferry is in/s);
});

/** Starts Claude Code in a terminal with a log file. Resolves when it has judged the channel and waits for a prompt. */
async function start(bed: Bed, name: string) {
  const { id, seat } = await bed.open();
  const path = join(bed.project, `${name}.log`);
  await seat.line(`claude --dangerously-load-development-channels server:hansard --debug-file ${name}.log`);
  await seat.idle(claude, 'claude is ready', START_MS);
  const read = (): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  await expect.poll(read, { timeout: START_MS }).toMatch(VERDICT);
  return { id, seat, log: read(), verdict: VERDICT.exec(read())?.[1] };
}

const watching = (pty_id: string): ReadingModel =>
  calls('pty_notify', { pty_id, search: 'ferry is in', message: 'go on board' }, 'I watch the quay.');
const asking = (pty_id: string): ReadingModel => calls('blocks_since', { pty_id, limit: 5 }, 'It is in.');

/** A model that finds a tool, calls it, and answers with `text`. */
function calls(tool: string, input: object, text: string): ReadingModel {
  const steps = [
    { call: AGENT.finds([tool]) ?? undefined },
    { call: AGENT.call({ tool, input: { ...input } }) },
    { text },
  ];
  return ({ results }) => steps[results.length] as ReturnType<ReadingModel>;
}
