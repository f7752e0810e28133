import { z } from 'zod';
import { PtyId } from '../../protocol/inputs.ts';
import { defineTool } from '../../protocol/Tool.ts';
import { stillMay } from './stillMay.ts';

export const agentsAnswer = defineTool({
  name: 'agents_answer',
  aliases: ['agents.answer'],
  title: "Answer an agent's question",
  description:
    "Chooses an option of the question that another agent shows: question_id and option (its label) from agents_list. Sent only if exactly that question is still on the screen; otherwise SEQ_MISMATCH and nothing is chosen. The person's policy must allow it (input.agent_dialogs), and the person is asked each time. Never for the agent that you are.",
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  profile: 'standard',
  scope: 'input',
  input: z.strictObject({
    pty_id: PtyId,
    question_id: z.string().min(1).max(64),
    option: z.string().min(1).max(1000).describe('the label of the option'),
  }),
  inputAliases: { questionId: 'question_id', choice: 'option', answer: 'option' },
  about: ({ pty_id, option }) => ({ terminalId: pty_id, what: option }),
  admit: ({ pty_id }, { record }) => void record.liveTerminal(pty_id),
  async run({ pty_id, question_id, option }, call) {
    const wish = { terminalId: pty_id, questionId: question_id, option };
    const { choice } = await call.clients.agents.answer(wish, call.caller, {
      stillMay: stillMay(pty_id, call),
      beginWait: () => call.authority.beginWait(call.caller),
    });
    return { facts: { pty_id, question_id, outcome: 'answered' }, told: { choice } };
  },
});
