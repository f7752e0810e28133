import type { AgentAnswer, AgentRow } from '../../src-main/contract/agents.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import { strings } from '../app/strings.ts';
import type { Stop } from '../rpc/Rpc.ts';
import { openTerminal } from '../search/openHit.ts';
import { guard } from '../tabs/tabActions.ts';
import { closePage } from '../ui/takeFocusBack.ts';
import type { Agents } from './Agents.svelte.ts';
import { shownQuestion } from './agentFacts.ts';
import type { PageKey } from './pageKeys.ts';

export function registerAgentActions(app: AppState): Stop {
  const { agents, palette } = app;
  return palette.register({
    id: 'agents.open',
    title: strings.agents.action,
    group: strings.app.groups.view,
    keys: 'Mod+Shift+A',
    run: () => (agents.isOpen ? closeAgents(app) : agents.open()),
  });
}

export function closeAgents(app: AppState): void {
  closePage(app, () => app.agents.close());
}

export function showTerminal(app: AppState, { terminalId }: AgentRow): void {
  closePage(
    app,
    () => app.agents.close(),
    () => guard(app, openTerminal(app, terminalId)),
  );
}

/** Answers the question that the row shows. A question that changed meanwhile is not answered, and the row says so. */
export async function answer(
  { agents }: AppState,
  row: AgentRow,
  { option, text }: { option: AgentAnswer['option']; text?: string },
): Promise<void> {
  const { question, conversationId, terminalId } = row;
  if (!question || question.obstacle !== null) return;
  if (option !== 'next' && option >= question.options.length) return;
  if (agents.answering.has(conversationId)) return;
  agents.answering.set(conversationId, question.id);
  agents.remarks.delete(conversationId);
  try {
    const verdict = await agents.rpc.answer({ terminalId, questionId: question.id, option, ...(text && { text }) });
    if (!verdict.ok) agents.remarks.set(conversationId, strings.agents.refusals[verdict.reason]);
  } finally {
    agents.answering.delete(conversationId);
  }
}

/** True when it was sent or waits; the field may be emptied then. */
export async function reply({ agents, notices }: AppState, row: AgentRow, text: string): Promise<boolean> {
  const verdict = await agents.rpc.reply({ terminalId: row.terminalId, text });
  const words = strings.agents.reply;
  if (!verdict.ok) agents.remarks.set(row.conversationId, words[verdict.reason]);
  else if (verdict.sent) notices.say(words.sent);
  return verdict.ok;
}

/** The text comes back to the caller; null when it was sent meanwhile. */
export async function cancelReply({ agents, notices }: AppState, id: string): Promise<string | null> {
  const text = await agents.rpc.cancelReply({ id });
  if (text === null) notices.say(strings.agents.reply.tooLate);
  return text;
}

export async function interrupt(
  { agents, notices }: AppState,
  { terminalId, conversationId }: AgentRow,
): Promise<void> {
  const verdict = await agents.rpc.interrupt({ terminalId });
  if (verdict.ok) notices.say(strings.agents.interrupted);
  else agents.remarks.set(conversationId, strings.agents.interruptFailed[verdict.reason]);
}

/** Says that a press came before the person could have seen that row, named by its own id or what it shows. */
export function sayEarly(agents: Agents, id: string): void {
  const row = agents.rows.find((one) => one.conversationId === id || shownQuestion(one) === id);
  if (row) agents.remarks.set(row.conversationId, strings.agents.early);
}

/** Handles a number key. For an option that takes text, it opens the field first. */
function answerByKey(app: AppState, row: AgentRow, option: number): void {
  app.agents.choose(row.conversationId); // otherwise a second press of the key would answer the row that is first then
  if (row.question?.takesText[option]) app.agents.texting = { questionId: row.question.id, option };
  else guard(app, answer(app, row, { option }));
}

/** Runs a key of the page for the selected agent. */
export function performKey(app: AppState, key: PageKey): void {
  const { agents } = app;
  const { chosen } = agents;
  if (key.type === 'close') closeAgents(app);
  else if (key.type === 'step') agents.step(key.by);
  else if (key.type === 'next') agents.nextWaiting();
  else if (!chosen) return;
  else if (key.type === 'open') showTerminal(app, chosen);
  else if (key.type === 'reply') document.getElementById('agent-reply')?.focus();
  else if (!agents.isSettled(chosen)) sayEarly(agents, chosen.conversationId);
  else if (key.type === 'answer') answerByKey(app, chosen, key.option);
  else guard(app, interrupt(app, chosen));
}
