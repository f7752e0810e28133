import type { Block } from '../contract/block.ts';
import { ToolFault } from '../contract/mcp.ts';
import { outsideText } from '../session/outside/outsideText.ts';
import { refOf } from './inputs.ts';
import type { ToolCall } from './Tool.ts';

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: Readonly<Record<string, unknown>>;
}

/** A ready-made question that a person picks in their client. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  run(
    given: Readonly<Record<string, string>>,
    call: ToolCall,
  ): Promise<{ readonly description: string; readonly messages: readonly PromptMessage[] }>;
}

const PTY = [{ name: 'pty_id', description: 'a terminal; all of them when left out', required: false }] as const;

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'explain_last_failure',
    title: 'Explain the last failure',
    description: 'Why the last command that failed did so, and what to do about it.',
    arguments: PTY,
    run: async ({ pty_id }, call) => {
      const block = await newest(call, pty_id, ({ exitCode, status }) => status !== 'running' && (exitCode ?? 0) !== 0);
      const ask = `The command ${quoted(block)} in ${block.cwd ?? 'an unknown folder'} ended with exit code ${block.exitCode}. Read the end of its output with blocks_read (tail, grep), find the cause, and say what to do. Run nothing.`;
      return { description: 'the last failure', messages: [said(ask), linked(block)] };
    },
  },
  {
    name: 'continue_from_terminal',
    title: 'Go on from the terminal',
    description: 'Looks at what was done last in the terminal and goes on with the task from there.',
    arguments: PTY,
    run: async ({ pty_id }, call) => {
      const block = await newest(call, pty_id, () => true);
      const ask = `I was working in the terminal ${block.terminalId}; the last command was ${quoted(block)}. Look at the last commands with blocks_since, at slices of their output where needed, tell me in a few lines where things stand, and propose the next step.`;
      return { description: 'where things stand', messages: [said(ask), linked(block)] };
    },
  },
];

export function findPrompt(name: string): Prompt | undefined {
  return PROMPTS.find((prompt) => prompt.name === name);
}

/** The newest block that is wanted among those that may be seen. Throws BLOCK_NOT_FOUND. */
async function newest(
  { desk }: ToolCall,
  ptyId: string | undefined,
  isWanted: (block: Block) => boolean,
): Promise<Block> {
  const terminals = ptyId === undefined ? desk.record.open() : [desk.record.terminal(ptyId)];
  let found: Block | null = null;
  for (const terminal of terminals) {
    for await (const block of desk.record.newestFirst(terminal)) {
      if (block.kind !== 'command' || !isWanted(block)) continue;
      if (found === null || block.startedMs > found.startedMs) found = block;
      break;
    }
  }
  if (found) return found;
  throw new ToolFault('BLOCK_NOT_FOUND', 'there is no such command', 'run something first, or name another terminal');
}

/** What a terminal says stands in a person's prompt: shown, and cut to what a command line is. */
function quoted({ cmd }: Block): string {
  return cmd === null ? '(its text is not known)' : `\`${outsideText(cmd.slice(0, 400)).text.replaceAll('`', "'")}\``;
}

function said(text: string): PromptMessage {
  return { role: 'user', content: { type: 'text', text } };
}

function linked({ terminalId, id }: Block): PromptMessage {
  const uri = `term://block/${refOf(terminalId, id)}/output`;
  return { role: 'user', content: { type: 'resource_link', uri, name: `output of ${id}`, mimeType: 'text/plain' } };
}
