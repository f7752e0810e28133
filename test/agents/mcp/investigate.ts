import type { ReadingModel, Reply } from '../scriptedModel/script.ts';
import { FORBIDDEN, REPAIR, REPAIR_REASON } from './brokenBuild.ts';
import type { McpAgent, Wanted } from './McpAgent.ts';

const TOOLS = ['pty_list', 'blocks_since', 'blocks_read', 'pty_exec'];
/** Longer than any approval takes. */
const WAIT_MS = 50_000;

/** Yields calls and receives the result of each; returns the final answer. */
export type Plan = Generator<Wanted, string, string>;

/**
 * A model that gets a question about a failed build. It finds the terminal, the failure and the error by reading, repairs the build, tries a
 * forbidden command, and tries a command in its own terminal if it has one.
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

/** Plays a plan with an agent's form of calls. Starts the plan again for each request, so that a repeated request gets the same answer. */
export function modelOf(agent: McpAgent, plan: () => Plan, tools: readonly string[] = TOOLS): ReadingModel {
  return ({ results }) => {
    const first = agent.finds(tools);
    if (first && results.length === 0) return { call: first };
    try {
      return nextOf(agent, plan(), told(agent, results));
    } catch (error) {
      return { text: `The plan broke: ${String(error)}` }; // an agent retries a failing model for minutes
    }
  };
}

/** Results of the plan's own calls, without calls that only loaded tools. */
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

// biome-ignore lint/suspicious/noExplicitAny: the plan reads only the fields that it needs
type Told = any;

/** Facts of an answer, merged with those in its frames. Each is one line of JSON; an agent may add text around it. Throws if none is there. */
export function factsOf(text: string): Told {
  const parts = text.split('\n').filter((one) => one.startsWith('{'));
  if (parts.length === 0) throw new Error(`no facts in: ${text.slice(0, 500)}`);
  return Object.assign({}, ...parts.map((one) => JSON.parse(one)));
}
