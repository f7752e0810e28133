import type { AnswerRefusal } from '../../../src-main/contract/agents.ts';
import { startAgent } from './startAgent.ts';

function counted(count: number, words: string): string {
  return `${count} ${words}`;
}

function runningAgents(count: number): string {
  return counted(count, count === 1 ? 'agent' : 'agents');
}

const refusals: Record<AnswerRefusal, string> = {
  gone: 'Not answered: the agent has ended.',
  changed: 'Not answered: the question changed meanwhile. Nothing was chosen.',
  typing: 'Not answered: somebody is typing in that terminal. Nothing was chosen.',
  terminal: 'Answer this one in its terminal.',
  pointer: 'Not answered: the pointer did not move to that option. Nothing was chosen.',
  text: 'Not answered: your text did not appear in that option. Look at the terminal.',
  open: 'Return was sent, but the question is still there. Look at the terminal.',
};

/** The page of all agents. */
export const agents = {
  title: 'Agents',
  action: 'Show agents',
  button: (waiting: number, running: number) =>
    `Agents: ${runningAgents(running)}${waiting === 0 ? '' : `, ${waiting} waiting`}`,
  close: 'Close agents',
  needYou: (count: number) => counted(count, count === 1 ? 'needs you' : 'need you'),
  working: (count: number) => counted(count, 'working'),
  running: runningAgents,

  pages: {
    label: 'Agents',
    now: 'Now',
    nowTip: 'Agents that run, and those of the last 24 hours',
    history: 'History',
    historyTip: 'All conversations',
  },
  groups: { waiting: 'Needs you', working: 'Working', unclear: 'State unknown', ready: 'Ready', finished: 'Finished' },
  groupNotes: {
    waiting: 'oldest first',
    working: '',
    unclear: '',
    ready: 'for your next prompt',
    finished: 'last 24 hours',
  },
  empty: 'No agent has run in the last 24 hours.',
  emptyAdvice: 'Start one in any terminal: Hansard recognizes it by its process.',

  untitled: 'No prompt yet',
  waitingFor: (age: string) => `waiting ${age}`,
  tool: (name: string) => `Running ${name}`,
  files: (count: number) => (count === 0 ? 'no changes' : counted(count, count === 1 ? 'file' : 'files')),
  subAgents: {
    label: 'Sub-agents',
    untitled: 'Sub-agent',
    states: { working: 'working', done: 'done', failed: 'failed', stopped: 'stopped' },
    state: (state: string, age: string) => (state === 'working' ? age : `${state} after ${age}`),
    more: (count: number) => counted(count, 'more'),
    working: (count: number) => counted(count, count === 1 ? 'sub-agent' : 'sub-agents'),
  },
  evidence: (words: string) => `State ${words}`,

  question: {
    label: 'The question of the agent',
    number: (place: number) => `${place}`,
    unread: 'Its options could not be read from the screen.',
    checkboxes: 'Several options can be checked, and the screen names no key for the next page.',
    pointer: 'The screen does not show which option is selected.',
    inTerminal: 'Answer in terminal',
    sending: 'Answering…',
    next: 'Next page',
    sayWhy: 'No, and say why…',
    textFor: (option: string) => `Text for “${option}”`,
    textHint: 'Return sends · Escape cancels',
    send: 'Send',
  },
  refusals,
  early: 'Nothing was done: this had only just appeared here. Look at it, then try again.',

  openTerminal: 'Open terminal',
  interrupt: 'Interrupt',
  interrupted: 'Interrupted',
  interruptFailed: {
    gone: 'The agent has ended.',
    idle: 'The agent is not working.',
    working: 'Escape was sent, but the agent is still working.',
  },

  reply: {
    label: (agent: string) => `Reply to ${agent}`,
    placeholder: (agent: string) => `Reply to ${agent}…`,
    send: 'Send',
    keys: 'Return sends · Shift+Return adds a line',
    waits: 'Sent after you answer the question',
    turn: 'Sent at the end of this turn',
    place: (place: number) => `${place}`,
    placeTip: (place: number) => `Sent as number ${place}`,
    sent: 'Sent',
    gone: 'Not sent: the agent has ended.',
    full: 'Not sent: 20 replies are waiting. Cancel one first.',
    cancel: 'Cancel',
    tooLate: 'Too late: it was sent.',
    list: 'Waiting replies',
    unsent: (count: number) => (count === 1 ? '1 reply was not sent' : `${count} replies were not sent`),
    reasons: {
      turn: 'waits for the end of the turn',
      answer: 'waits for your answer',
      draft: 'waits: the agent’s input line has other text',
      input: 'waits: the agent’s input line is not visible',
      agent: 'waits: the agent has ended',
    },
  },
  start: startAgent,
  detail: 'Agent details',
  noConversation: 'Open the terminal to read this conversation.',
} as const;
