import type { WaitsFor } from '../../agents/sendReply.ts';
import type { AgentQuestion, AgentRow, AnswerRefusal } from '../../contract/agents.ts';
import { ToolFault } from '../../contract/mcp/mcp.ts';

/** Agents interpret these prompts as commands: "!" runs a line in a shell, "/" changes how they work. */
export function isAgentCommand(text: string): boolean {
  return /^[\s\p{C}]*[!/]/u.test(text);
}

/** Finds an option by its label; the text in brackets at the end of a label may be left out. Throws unless exactly one option matches. */
export function optionOf(
  row: AgentRow | null,
  { questionId, option }: { questionId: string; option: string },
): { question: AgentQuestion; at: number } {
  const question = row?.question ?? null;
  if (!question || question.id !== questionId)
    throw new ToolFault('SEQ_MISMATCH', 'the agent shows another question than you saw, or none', LOOK_AGAIN, {
      details: { question_id: question?.id ?? null },
    });
  if (question.obstacle !== null)
    throw new ToolFault(
      'BUSY',
      `this question can be answered in its terminal alone (${question.obstacle})`,
      'leave it to the person',
    );
  const wanted = plain(option);
  const exact = question.options.flatMap((label, at) => (plain(label) === wanted ? [at] : []));
  const [at, ...others] = exact.length > 0 ? exact : similar(question.options, wanted);
  if (at === undefined || others.length > 0)
    throw new ToolFault(
      'BAD_INPUT',
      `option: "${option}" is ${at === undefined ? 'none' : 'more than one'} of the options`,
      `give one of them as it is written: ${question.options.map((label) => JSON.stringify(label)).join(', ')}`,
    );
  return { question, at };
}

function similar(options: readonly string[], wanted: string): number[] {
  return options.flatMap((label, at) => (plain(label.replace(/\s*\([^()]*\)\s*$/, '')) === wanted ? [at] : []));
}

function plain(label: string): string {
  return label.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

const LOOK_AGAIN = 'read it with agents_read, then decide again';

const ANSWERS: Readonly<Record<AnswerRefusal, () => ToolFault>> = {
  gone: () => new ToolFault('PTY_GONE', 'the agent or its terminal has ended; nothing was sent', 'agents_list'),
  changed: () =>
    new ToolFault('SEQ_MISMATCH', 'the agent shows another question now; no option was chosen', LOOK_AGAIN),
  typing: () =>
    new ToolFault('USER_TYPING', 'the person types there; no option was chosen', 'leave the answer to the person'),
  terminal: () =>
    new ToolFault('BUSY', 'this question can be answered in its terminal alone', 'leave it to the person'),
  pointer: () =>
    new ToolFault('BUSY', 'the pointer did not go to the option; no option was chosen', 'leave it to the person'),
  text: () => new ToolFault('BUSY', 'that option takes a text of the person; it was not sent', 'choose another option'),
  open: () =>
    new ToolFault(
      'BUSY',
      'the keys were sent, and the question is still there',
      'read it again; do not repeat it blindly',
    ),
};

export function notAnswered(reason: AnswerRefusal): ToolFault {
  return ANSWERS[reason]();
}

const PROMPTS: Readonly<Record<WaitsFor, () => ToolFault>> = {
  turn: () =>
    new ToolFault('BUSY', 'the agent works on a turn; nothing was sent', 'agents_read with wait_ms waits for its end'),
  answer: () =>
    new ToolFault('BUSY', 'the agent shows a question; nothing was sent', 'agents_read has it; the person answers it'),
  draft: () =>
    new ToolFault('USER_TYPING', 'its input line holds text of the person; nothing was sent', 'ask again later'),
  input: () =>
    new ToolFault('BUSY', 'its input line is not seen, or takes one line only; nothing was sent', 'ask again later'),
  agent: () => new ToolFault('PTY_GONE', 'no agent runs there', 'agents_list names those that run'),
};

export function notTaken(waits: WaitsFor): ToolFault {
  return PROMPTS[waits]();
}

export function ringFault(terminalId: string): ToolFault {
  return new ToolFault(
    'SELF_PTY',
    `the agent in "${terminalId}" has asked you, through others or itself: agents do not ask each other in a ring`,
    'answer in your own turn: who asked reads it',
  );
}
