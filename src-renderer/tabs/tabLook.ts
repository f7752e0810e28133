import type { Approval } from '../../src-main/contract/mcp/approval.ts';
import { strings } from '../app/strings.ts';
import { evidenceWords, stateWords } from '../conversation/chatWords.ts';
import type { TerminalState } from './TerminalState.svelte.ts';

/** Duration so far: `2 h 14 m`, `6 m`; '' under a minute, where it would flicker. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return '';
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return `${minutes} m`;
  return hours < 48 ? `${hours} h ${minutes % 60} m` : `${Math.floor(hours / 24)} d`;
}

/** The state in words, for the tooltip and for screen readers. */
export function statusWords(terminal: TerminalState): string {
  const state = stateOf(terminal);
  return terminal.view.isHidden ? strings.tabs.status.hidden(state) : state;
}

function stateOf({ view, status, program, news, agent, asked }: TerminalState): string {
  const words = strings.tabs.status;
  switch (status) {
    case 'waits':
      return asked ? askedWords(asked) : agentWords(agent);
    case 'ready':
      return agentWords(agent);
    case 'erred':
      return words.lastFailed;
    case 'running':
      return agent ? agentWords(agent) : words.running(program);
    case 'rang':
      return news === null ? words.bell : words.finished(news);
    case 'exited':
      return view.origin === undefined ? words.exited : words.recording;
    case 'failed':
      if (view.signal) return words.endedBy(view.signal);
      return view.exitCode === null ? words.failed : words.exitedWith(view.exitCode);
    case 'idle':
      return words.idle;
  }
}

/** Text of a client's request as the approval shows it: invisible characters and line breaks by name. */
export function shownText({ shown }: Approval): string {
  return shown.map(({ text }) => text).join('');
}

function askedWords(asked: Approval): string {
  const { title } = asked.client;
  const { asksForControl, asksToRun, asksToType, asksToAnswer, asksToPrompt } = strings.tabs.status;
  if (asked.kind === 'control') return asksForControl(title);
  const says = { command: asksToRun, keys: asksToType, answer: asksToAnswer, prompt: asksToPrompt }[asked.kind];
  return says(title, shownText(asked));
}

/** The state in words, and its evidence. */
function agentWords(agent: TerminalState['agent']): string {
  if (!agent) return '';
  const why = evidenceWords(agent.evidence);
  return `${strings.conversation.agentState(agent.label, stateWords(agent.state))}${why && `, ${why}`}`;
}

/** `(2) npm test — ~/src/harbour`: number of tabs that need attention, the current command, and the folder. */
export function windowTitle(
  active: TerminalState | undefined,
  all: readonly TerminalState[],
  placeOf: (terminal: TerminalState) => string,
): string {
  const rang = all.filter(({ status }) => status === 'rang' || status === 'waits' || status === 'erred').length;
  const count = rang > 0 ? `(${rang}) ` : '';
  return active ? `${count}${active.label} — ${placeOf(active)}` : `${count}Hansard`;
}
