import type { RigAgent } from '../launch/Agent.ts';
import { claude } from '../launch/claude.ts';
import { codex } from '../launch/codex.ts';
import { gemini } from '../launch/gemini.ts';
import type { Reply, ToolResult } from '../scriptedModel/script.ts';

/** A call of one of our tools that a model requests. */
export interface Wanted {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Differences between agents when their models call tools of an MCP server. */
export interface McpAgent {
  readonly rig: RigAgent;
  /** The agent's client name in the handshake, which policies use. */
  readonly client: string;
  /** Program and arguments for one prompt in headless mode. */
  headless(prompt: string): readonly [string, ...string[]];
  /** The call in the form that the agent's model uses. */
  call(wanted: Wanted): NonNullable<Reply['call']>;
  /** The call that loads `tools` before their first use; null if the first request offers them. */
  finds(tools: readonly string[]): Reply['call'] | null;
  /** Whether the result says that the tool is not loaded yet, and the model must call again. */
  isNotYet(result: ToolResult): boolean;
  /** Name of a tool in recorded conversations. */
  recorded(tool: string): string;
  /** Name of the one line into which the screen folds several calls; the first call is recorded under it. */
  readonly folded?: string;
  /** Pattern of the permission prompt for a server's tool, and the key that allows it. */
  readonly dialog: string;
  readonly allow: string;
}

/** Headless Codex cannot ask for permission and refuses tools that are not read-only, unless its config approves them. */
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
    // Gemini CLI adds `wait_for_previous` to each tool's schema, for calls that need earlier results, and passes it on to the server
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

/** JavaScript for one call. Codex starts its servers in parallel with the first request, so a tool may appear only between two calls. */
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
