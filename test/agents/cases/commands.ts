import type { RigCase, Step } from '../drive/steps.ts';
import { SLOW } from '../scriptedModel/script.ts';
import { numberedRows, PROSE } from './texts.ts';

const turn = (prompt: string, text: string): Step => ({ do: 'ask', prompt, replies: [{ text }] });

/** Cases with commands to the agent and changes of its screen. */
export const COMMANDS: readonly RigCase[] = [
  {
    name: 'clear',
    about: 'the conversation is cleared and a new one begins',
    steps: [
      { do: 'start' },
      turn('remember the number 7', 'I will remember 7.'),
      { do: 'clear' },
      turn('which number?', 'I do not know of any number.'),
      { do: 'exit' },
    ],
  },
  {
    name: 'compact',
    about: 'the conversation is compacted and goes on',
    steps: [
      { do: 'start' },
      turn('first question', 'This is the first answer.'),
      turn('second question', 'This is the second answer.'),
      { do: 'compact' },
      turn('third question', 'This is the third answer.'),
      { do: 'exit' },
    ],
  },
  {
    name: 'help',
    about: 'help is opened between two turns',
    steps: [
      { do: 'start' },
      turn('before help', 'An answer before the help.'),
      { do: 'help' },
      turn('after help', 'An answer after the help.'),
      { do: 'exit' },
    ],
  },
  {
    name: 'start-again',
    about: 'the agent is ended and started again, with shell commands between',
    steps: [
      { do: 'shell', command: 'echo before' },
      { do: 'start' },
      turn('hello', 'Hello, the first time.'),
      { do: 'exit' },
      { do: 'shell', command: 'echo between; ls' },
      { do: 'start' },
      turn('hello', 'Hello, the second time.'),
      { do: 'exit' },
      { do: 'shell', command: 'echo after' },
    ],
  },
  {
    name: 'two-agents',
    about: 'two agents in turn, with shell commands between',
    agents: ['gemini', 'codex'],
    steps: [
      { do: 'start', agent: 'gemini' },
      turn('hello, who is there?', 'The first one.'),
      { do: 'exit' },
      { do: 'shell', command: 'echo between the two' },
      { do: 'start', agent: 'codex' },
      turn('hello, who is there?', 'The second one.'),
      { do: 'exit' },
    ],
  },
  {
    name: 'resize',
    about: 'the window gets narrower and wider again while a reply streams',
    resizes: true,
    steps: [
      { do: 'start' },
      turn('a short one first', 'Short, but it is here.'),
      {
        do: 'ask',
        prompt: 'tell me something long',
        replies: [{ text: PROSE, pace: SLOW }],
        meanwhile: [
          { atChars: 150, does: { type: 'resize', cols: 70, rows: 24 } },
          { atChars: 400, does: { type: 'resize', cols: 120, rows: 34 } },
        ],
      },
      turn('and after it', 'After it comes the end.'),
      { do: 'exit' },
    ],
  },
  {
    name: 'ctrl-l',
    about: 'the screen is redrawn by Ctrl-L, between turns',
    steps: [
      { do: 'start' },
      turn('one', 'The first answer, before the screen is redrawn.'),
      { do: 'redraw' },
      turn('two', 'The second answer, after it.'),
      { do: 'exit' },
    ],
  },
  {
    name: 'paste',
    about: 'fifty lines are pasted as a prompt',
    steps: [
      { do: 'start' },
      {
        do: 'ask',
        prompt: Array.from({ length: 50 }, (_, at) => `pasted line ${at + 1} of fifty`).join('\n'),
        isPasted: true,
        replies: [{ text: 'I got all of them.' }],
      },
      { do: 'exit' },
    ],
  },
  {
    name: 'detached',
    about: 'the window goes away in the middle of a reply and comes back',
    steps: [
      { do: 'start' },
      {
        do: 'ask',
        prompt: 'print a list while I am away',
        replies: [{ text: numberedRows(30) }],
        meanwhile: [
          { atChars: 200, does: { type: 'detach' } },
          { atChars: 1200, does: { type: 'attach' } },
        ],
      },
      { do: 'exit' },
    ],
  },
];
