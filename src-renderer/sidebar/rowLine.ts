import type { Failure } from '../../src-main/contract/terminal.ts';
import { formatClock } from '../app/clock.svelte.ts';
import { formatPath } from '../app/formatWords.ts';
import { strings } from '../app/strings.ts';
import { isWaiting, stateWords } from '../conversation/chatWords.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';
import { formatAge, shownText } from '../tabs/tabLook.ts';

/** Room on a tab's second line at 11.5 px in 232 px. */
const MAX_PLACE_CHARS = 26;
/** A row has room for the first of them. */
const SHOWN_PORTS = 2;

/** The one line of why a terminal matters. Ports come before the text and lead to a page. */
export interface RowLine {
  text: string;
  /** `asks`: the person is wanted; `failed`: something went wrong unseen. */
  tone: 'asks' | 'failed' | 'plain';
  ports: readonly number[];
}

interface Seen {
  home: string;
  nowMs: number;
  ports: readonly number[];
}

/** The first that applies: an end, a question, a failure, news, ports, work, the folder. */
export function rowLine(terminal: TerminalState, seen: Seen): RowLine {
  const { view, news, agent, asked } = terminal;
  if (view.state === 'exited') return plain(endWords(view));
  if (asked)
    return asks(asked.kind === 'control' ? strings.tabs.line.control : strings.tabs.line.approve(shownText(asked)));
  if (agent && isWaiting(agent.state))
    return asks(agent.asks ? strings.tabs.line.asks(agent.asks) : stateWords(agent.state));
  if (view.failure) return { text: failureWords(view.failure, seen.nowMs), tone: 'failed', ports: [] };
  if (news !== null) return asks(strings.tabs.line.done(news));
  if (view.bell && view.notification)
    return asks([view.notification.title, view.notification.body].filter(Boolean).join(': '));
  const work = workWords(terminal, seen.nowMs);
  if (seen.ports.length > 0) return { ...plain(work), ports: seen.ports.slice(0, SHOWN_PORTS) };
  const place = formatPath(view.cwd, seen.home, MAX_PLACE_CHARS);
  if (view.progress?.percent != null) return plain(`${Math.round(view.progress.percent)} % · ${place}`);
  return plain(work || place);
}

function asks(text: string): RowLine {
  return { text, tone: 'asks', ports: [] };
}

function plain(text: string): RowLine {
  return { text, tone: 'plain', ports: [] };
}

/** The current work and its duration; '' at a prompt. */
function workWords({ agent, running, isRunning }: TerminalState, nowMs: number): string {
  const { line } = strings.tabs;
  if (agent) return [stateWords(agent.state), formatAge(nowMs - agent.sinceMs)].filter(Boolean).join(' ');
  if (!isRunning) return '';
  const age = running ? formatAge(nowMs - running.startedMs) : '';
  return age === '' ? line.working : line.workingFor(age);
}

function failureWords({ atMs, exitCode, signal }: Failure, nowMs: number): string {
  const { line } = strings.tabs;
  return line.failed(formatClock(atMs, nowMs), signal ?? line.exit(exitCode));
}

function endWords({ signal, exitCode, origin }: TerminalState['view']): string {
  const { line } = strings.tabs;
  if (signal) return line.endedBy(signal);
  if (origin === undefined) return exitCode === null ? line.exited : line.exitedWith(exitCode);
  return exitCode === null ? line.recording : line.recordingExited(exitCode);
}
