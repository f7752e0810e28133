import type { RigAgent } from '../launch/Agent.ts';
import { claude } from '../launch/claude.ts';
import { codex } from '../launch/codex.ts';
import { gemini } from '../launch/gemini.ts';
import type { Reply, ToolResult } from '../scriptedModel/script.ts';

/** A tool of ours that a model wants called. */
export interface Wanted {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** All that differs between agents when their models call tools of an MCP server. */
export interface McpAgent {
  readonly rig: RigAgent;
  /** What it calls itself in the handshake, as a policy names it. */
  readonly client: string;
  /** Its program and arguments for one prompt without a screen. */
  headless(prompt: string): readonly [string, ...string[]];
  /** The call that its model makes, in its own words. */
  call(wanted: Wanted): NonNullable<Reply['call']>;
  /** What its model asks for before it can call `tools`; null where they are on offer from the first request on. */
  finds(tools: readonly string[]): Reply['call'] | null;
  /** The result says that the tool was not there yet, so that the model asks again. */
  isNotYet(result: ToolResult): boolean;
  /** What a conversation calls our tools when it was recorded. */
  recorded(tool: string): string;
  /** Calls that its screen folds into one: their first stands under this name, whatever it was. */
  readonly folded?: string;
  /** On the screen while it asks whether a tool of a server may run, and what says yes. */
  readonly dialog: string;
  readonly allow: string;
}

/** It asks nobody where nobody sits, and then refuses what is not for reading only, unless it was told before. */
const APPROVED = 'mcp_servers.hansard.default_tools_approval_mode="approve"';
const NOT_YET = 'no such tool yet';

export const MCP_AGENTS: readonly McpAgent[] = [
  {
    rig: claude,
    client: 'claude-code',
    headless: (prompt) => ['claude', '-p', prompt, '--allowedTools', 'mcp__hansard'],
    call: ({ tool, input }) => ({ name: `mcp__hansard__${tool}`, input }),
    finds: (tools) => {
      const names = tools.map((tool) => `mcp__hansard__${tool}`);
      return { name: 'ToolSearch', input: { query: `select:${names.join(',')}`, max_results: names.length } };
    },
    isNotYet: () => false,
    recorded: (tool) => `mcp__hansard__${tool}`,
    folded: 'Call hansard',
    dialog: 'Do you want to proceed',
    allow: '1',
  },
  {
    rig: gemini,
    client: 'gemini-cli-mcp-client',
    headless: (prompt) => ['gemini', '-p', prompt, '--approval-mode', 'yolo'],
    // it has this in the schema of each tool, says that it is for calls that need the results of others, and sends it on
    call: ({ tool, input }) => ({ name: `mcp_hansard_${tool}`, input: { ...input, wait_for_previous: true } }),
    finds: () => null,
    isNotYet: () => false,
    recorded: (tool) => `${tool} (hansard MCP Server)`,
    dialog: 'Allow execution of',
    allow: '\r',
  },
  {
    rig: codex,
    client: 'codex-mcp-client',
    headless: (prompt) => ['codex', 'exec', '--skip-git-repo-check', '-c', APPROVED, prompt],
    call: ({ tool, input }) => ({ name: 'exec', input: codexScript(`mcp__hansard__${tool}`, input) }),
    finds: () => null,
    isNotYet: ({ text }) => text.includes(NOT_YET),
    recorded: (tool) => `hansard.${tool}`,
    dialog: 'Allow the hansard MCP server',
    allow: '\r',
  },
];

/** Its servers start beside the first request, and its tools say that they may come between two calls. */
function codexScript(name: string, input: object): string {
  return [
    `if (!tools.${name}) {`,
    `  await new Promise((resolve) => setTimeout(resolve, 200));`,
    `  text(${JSON.stringify(NOT_YET)});`,
    `  exit();`,
    `}`,
    `const done = await tools.${name}(${JSON.stringify(input)});`,
    `text(done.content.map((part) => part.text ?? JSON.stringify(part)).join('\\n'));`,
  ].join('\n');
}
