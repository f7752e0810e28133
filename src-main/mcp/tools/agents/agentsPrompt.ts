import { z } from 'zod';
import { capped, PtyId, WaitMs } from '../../protocol/inputs.ts';
import { defineTool } from '../../protocol/Tool.ts';
import { readAfterTurn } from './agentsRead.ts';
import { stillMay } from './stillMay.ts';

const MAX_PROMPT_CHARS = 20_000;

export const agentsPrompt = defineTool({
  name: 'agents_prompt',
  aliases: ['agents.prompt'],
  title: 'Give an agent a prompt',
  description:
    'Types a prompt into the input line of another agent and sends it, if that agent is idle and its line is empty; else BUSY or USER_TYPING, and nothing is sent. With wait_ms it comes back with the answer when the turn has ended in time; else read on with agents_read (cursor, wait_ms). It is recorded as yours. Not for commands of the agent ("/…", "!…"), not for the agent that you are, nor for one that has asked you.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  profile: 'standard',
  scope: 'input',
  isWait: ({ wait_ms }) => wait_ms > 0,
  input: z.strictObject({
    pty_id: PtyId,
    text: z.string().min(1).max(MAX_PROMPT_CHARS),
    wait_ms: WaitMs,
    max_chars: capped(200, 100_000, 4_000),
  }),
  inputAliases: { prompt: 'text', message: 'text' },
  about: ({ pty_id, text }) => ({ terminalId: pty_id, what: text }),
  admit: ({ pty_id }, { record }) => void record.liveTerminal(pty_id),
  async run({ pty_id, text, wait_ms, max_chars }, call) {
    const { isSeen, after } = await call.clients.agents.prompt({ terminalId: pty_id, text }, call.caller, {
      stillMay: stillMay(pty_id, call),
      beginWait: () => (wait_ms > 0 ? () => undefined : call.authority.beginWait(call.caller)), // with wait_ms, the call is already a wait
    });
    const sent = { outcome: isSeen ? 'sent' : 'sent_unseen' };
    const cursor = `m${after}`;
    if (wait_ms === 0) return { facts: { pty_id, ...sent, resume_cursor: cursor } };
    const wish = { terminalId: pty_id, cursor, limit: 20, kinds: ANSWERS, max_chars };
    const read = await readAfterTurn(wish, { live: call.desk.record.liveTerminal(pty_id), waitMs: wait_ms }, call);
    return { ...read, facts: { ...sent, ...read.facts } };
  },
});

const ANSWERS = ['model', 'permission', 'notice'] as const;
