import type { ReadingModel, Reply } from '../scriptedModel/script.ts';
import { FORBIDDEN, REPAIR, REPAIR_REASON } from './brokenBuild.ts';
import type { McpAgent, Wanted } from './McpAgent.ts';

const TOOLS = ['pty_list', 'blocks_since', 'blocks_read', 'pty_exec'];
/** Longer than any approval may take. */
const WAIT_MS = 50_000;

/** What came of each call, in the order of the calls. */
export type Plan = Generator<Wanted, string, string>;

/**
 * A model that is asked about a failed build: it finds the terminal, the failure and the error by what it reads, repairs it, tries what the
 * person forbids, and, where it runs in a terminal itself, tries that one too.
 */
export function* investigate(): Plan {
  const { ptys } = factsOf(yield { tool: 'pty_list', input: {} });
  const other = ptys.find((pty: Told) => !pty.is_caller_pty && pty.state === 'idle');
  const own = ptys.find((pty: Told) => pty.is_caller_pty);
  const pty_id = other?.pty_id ?? 'none';
  const { blocks } = factsOf(yield { tool: 'blocks_since', input: { pty_id, limit: 5 } });
  const { block_id } = blocks.findLast((block: Told) => block.exit_code > 0);
  yield { tool: 'blocks_read', input: { block_id, grep: 'error', grep_flags: 'i', context: 4 } };
  yield { tool: 'pty_exec', input: { pty_id, cmd: REPAIR, reason: REPAIR_REASON, wait_ms: WAIT_MS } };
  yield { tool: 'pty_exec', input: { pty_id, cmd: FORBIDDEN, reason: 'so that all have it', wait_ms: WAIT_MS } };
  if (own) yield { tool: 'pty_exec', input: { pty_id: own.pty_id, cmd: 'echo yes', wait_ms: WAIT_MS } };
  return 'A parenthesis was missing, and the build is whole again.';
}

/** Plays a plan in the words of an agent. The plan is played anew for each request, so that one asked twice is answered the same. */
export function modelOf(agent: McpAgent, plan: () => Plan): ReadingModel {
  return ({ results }) => {
    const first = agent.finds(TOOLS);
    if (first && results.length === 0) return { call: first };
    try {
      return nextOf(agent, plan(), told(agent, results));
    } catch (error) {
      return { text: `The plan broke: ${String(error)}` }; // an agent whose model fails asks it again for minutes
    }
  };
}

/** What the calls of the plan itself gave, without those that only looked for tools. */
export function told(agent: McpAgent, results: Parameters<ReadingModel>[0]['results']): string[] {
  const own = agent.finds(TOOLS) ? results.slice(1) : results;
  return own.filter((result) => !agent.isNotYet(result)).map(({ text }) => text);
}

function nextOf(agent: McpAgent, plan: Plan, results: readonly string[]): Reply {
  let step = plan.next();
  for (const text of results) {
    if (step.done) break;
    step = plan.next(text);
  }
  return step.done ? { text: step.value } : { call: agent.call(step.value) };
}

// The results of tools are what they are: the plan reads of them what it needs.
// biome-ignore lint/suspicious/noExplicitAny: said above
type Told = any;

/** The facts of an answer, and what its frames hold beside them: each is one line of JSON, whatever an agent puts around it. Throws with what came in their place. */
export function factsOf(text: string): Told {
  const parts = text.split('\n').filter((one) => one.startsWith('{'));
  if (parts.length === 0) throw new Error(`no facts in: ${text.slice(0, 500)}`);
  return Object.assign({}, ...parts.map((one) => JSON.parse(one)));
}
