import type { Approval } from '../../src-main/contract/mcp/approval.ts';
import { formatPath } from '../app/formatWords.ts';
import { evidenceWords, isWaiting, stateWords } from '../conversation/chatWords.ts';
import type { TerminalState } from './TerminalState.svelte.ts';

/** Room on a tab's second line at 11.5 px in 232 px. */
const MAX_PLACE_CHARS = 26;

/** How long something has been going on: `2 h 14 m`, `6 m`; '' under a minute, when it would only flicker. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return '';
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return `${minutes} m`;
  return hours < 48 ? `${hours} h ${minutes % 60} m` : `${Math.floor(hours / 24)} d`;
}

/** The second line of a tab: where, or why it needs a look. */
export function secondLine({ view, running, news, agent, asked }: TerminalState, home: string, nowMs: number): string {
  if (view.state === 'exited') return endWords(view);
  if (asked) return `waits: ${askedWords(asked)}`;
  if (agent && isWaiting(agent.state)) return agent.asks ? `waits: ${agent.asks}` : stateWords(agent.state);
  if (news !== null) return `done: ${news}`;
  if (view.progress?.percent != null) return `${Math.round(view.progress.percent)} % · ${place(view.cwd, home)}`;
  if (agent)
    return [stateWords(agent.state), place(view.cwd, home), formatAge(nowMs - agent.sinceMs)]
      .filter(Boolean)
      .join(' · ');
  const age = running ? formatAge(nowMs - running.startedMs) : '';
  return [place(view.cwd, home), view.gitBranch, age].filter(Boolean).join(' · ');
}

function endWords({ signal, exitCode, origin }: TerminalState['view']): string {
  if (signal) return `ended by ${signal}`;
  const what = origin === undefined ? 'exited' : 'recording';
  if (exitCode === null) return what;
  return origin === undefined ? `exited ${exitCode}` : `recording, exit ${exitCode}`;
}

/** All of it in words, for the tip and for screen readers. */
export function statusWords(terminal: TerminalState): string {
  return `${stateOf(terminal)}${terminal.view.isHidden ? ', hidden from outside agents' : ''}`;
}

function stateOf({ view, status, program, news, agent, asked }: TerminalState): string {
  switch (status) {
    case 'waits':
      return asked ? `${asked.client.title} asks: ${askedWords(asked)}` : agentWords(agent);
    case 'ready':
      return agentWords(agent);
    case 'running':
      return agent ? agentWords(agent) : `${program} is running`;
    case 'rang':
      return news === null ? 'rang since you looked' : `${news} is done`;
    case 'exited':
      return view.origin === undefined ? 'the shell has ended' : 'a recording';
    case 'failed':
      return view.signal
        ? `the shell was ended by ${view.signal}`
        : `the shell ended with ${view.exitCode ?? 'an error'}`;
    case 'idle':
      return 'at its prompt';
  }
}

/** `run “cargo test --all”?`: what a client asks for; what cannot be seen stands there by its name, a line break too. */
function askedWords({ kind, shown }: Approval): string {
  if (kind === 'control') return 'type here?';
  const said = shown.map(({ text }) => text).join('');
  return kind === 'keys' ? `type “${said}”?` : `run “${said}”?`;
}

/** The state in words, and why it is believed. */
function agentWords(agent: TerminalState['agent']): string {
  if (!agent) return '';
  const why = evidenceWords(agent.evidence);
  return `${agent.label}: ${stateWords(agent.state)}${why && `, ${why}`}`;
}

function place(cwd: string, home: string): string {
  return formatPath(cwd, home, MAX_PLACE_CHARS);
}

/** `(2) npm test — ~/src/harbour`: how many tabs want a look, what runs here, and where. */
export function windowTitle(active: TerminalState | undefined, all: readonly TerminalState[], home: string): string {
  const rang = all.filter(({ status }) => status === 'rang' || status === 'waits').length;
  const count = rang > 0 ? `(${rang}) ` : '';
  return active ? `${count}${active.label} — ${formatPath(active.view.cwd, home)}` : `${count}Hansard`;
}
