import type { Block } from '../../contract/block.ts';
import { ToolFault } from '../../contract/mcp/mcp.ts';
import { cutText } from '../../redaction/cutText.ts';
import { framedText } from '../protocol/answers.ts';
import { refOf } from '../protocol/inputs.ts';
import type { ToolCall } from '../protocol/Tool.ts';

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

const MAX_QUOTED_CHARS = 400;

const PTY = [{ name: 'pty_id', description: 'a terminal; all of them when left out', required: false }] as const;

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'explain_last_failure',
    title: 'Explain the last failure',
    description: 'Why the last command that failed did so, and what to do about it.',
    arguments: PTY,
    run: async ({ pty_id }, call) => {
      const block = await newest(call, pty_id, ({ exitCode, status }) => status !== 'running' && (exitCode ?? 0) !== 0);
      const ask = `A command ended with exit code ${block.exitCode}:\n${quoted(block)}\nRead the end of its output with blocks_read (tail, grep), find the cause, and say what to do. Run nothing.`;
      return { description: 'the last failure', messages: [said(ask), linked(block)] };
    },
  },
  {
    name: 'continue_from_terminal',
    title: 'Go on from the terminal',
    description: 'Reads the last commands of the terminal and continues the task.',
    arguments: PTY,
    run: async ({ pty_id }, call) => {
      const block = await newest(call, pty_id, () => true);
      const ask = `I was working in the terminal ${block.terminalId}. The last command there:\n${quoted(block)}\nLook at the last commands with blocks_since, at slices of their output where needed, tell me in a few lines where things stand, and propose the next step.`;
      return { description: 'where things stand', messages: [said(ask), linked(block)] };
    },
  },
];

export function findPrompt(name: string): Prompt | undefined {
  return PROMPTS.find((prompt) => prompt.name === name);
}

/** The newest visible block that matches. Throws BLOCK_NOT_FOUND. */
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

/**
 * Text of a terminal in a person's prompt: framed like all terminal text, because anyone may have chosen a folder's name. Cut to the length of a
 * command line.
 */
function quoted({ terminalId, id, cmd, cwd }: Block): string {
  const text = [
    cmd === null ? '(its text is not known)' : cutText(cmd, MAX_QUOTED_CHARS),
    cwd === null ? '(in an unknown folder)' : `in ${cutText(cwd, MAX_QUOTED_CHARS)}`,
  ].join('\n');
  return framedText({ text, about: `pty ${terminalId} · block ${id}` }).text;
}

function said(text: string): PromptMessage {
  return { role: 'user', content: { type: 'text', text } };
}

function linked({ terminalId, id }: Block): PromptMessage {
  const uri = `term://block/${refOf(terminalId, id)}/output`;
  return { role: 'user', content: { type: 'resource_link', uri, name: `output of ${id}`, mimeType: 'text/plain' } };
}
