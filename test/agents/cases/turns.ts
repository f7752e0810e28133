import type { RigCase } from '../drive/steps.ts';
import { SLOW } from '../scriptedModel/script.ts';
import { CJK, MARKDOWN, numberedRows, PROSE, WIDE_CODE } from './texts.ts';

/** Cases without tools. */
export const TURNS: readonly RigCase[] = [
  {
    name: 'short-turns',
    about: 'three prompts and three short answers, one of them thought about first',
    steps: [
      { do: 'start' },
      {
        do: 'ask',
        prompt: 'hello there',
        replies: [{ thinking: 'I should say hello.', text: 'Hello! I am ready to help with this project.' }],
      },
      { do: 'ask', prompt: 'what is two plus three?', replies: [{ text: 'Two plus three is **five**.' }] },
      { do: 'ask', prompt: 'thanks, bye', replies: [{ text: 'You are welcome. Call me again when you need me.' }] },
      { do: 'exit' },
    ],
  },
  {
    name: 'long',
    about: 'a reply longer than the screen, streamed, then prose whose lines wrap',
    steps: [
      { do: 'start' },
      { do: 'ask', prompt: 'print a long list', replies: [{ text: numberedRows(60) }] },
      { do: 'ask', prompt: 'now some prose', replies: [{ text: PROSE }] },
      { do: 'exit' },
    ],
  },
  {
    name: 'markdown',
    about: 'Markdown of every kind',
    steps: [
      { do: 'start' },
      { do: 'ask', prompt: 'show me every kind of markdown', replies: [{ text: MARKDOWN }] },
      { do: 'ask', prompt: 'and then?', replies: [{ text: 'Then nothing. `end`' }] },
      { do: 'exit' },
    ],
  },
  {
    name: 'wide-code',
    about: 'code with lines wider than the screen',
    steps: [
      { do: 'start' },
      { do: 'ask', prompt: 'show me wide code', replies: [{ text: WIDE_CODE }] },
      { do: 'exit' },
    ],
  },
  {
    name: 'cjk-emoji',
    about: 'wide characters and emoji, in the prompt and in the reply',
    steps: [{ do: 'start' }, { do: 'ask', prompt: '日本語で答えて 👍', replies: [{ text: CJK }] }, { do: 'exit' }],
  },
  {
    name: 'burst',
    about: 'a long reply that arrives at once',
    steps: [
      { do: 'start' },
      { do: 'ask', prompt: 'print a long list', replies: [{ text: numberedRows(60), pace: 'burst' }] },
      { do: 'ask', prompt: 'once more, shorter', replies: [{ text: numberedRows(12, 'Line'), pace: 'burst' }] },
      { do: 'exit' },
    ],
  },
  {
    name: 'same-twice',
    about: 'the same prompt twice, with the same reply twice',
    steps: [
      { do: 'start' },
      { do: 'ask', prompt: 'say it', replies: [{ text: 'The answer is the same every time.' }] },
      { do: 'ask', prompt: 'say it', replies: [{ text: 'The answer is the same every time.' }] },
      { do: 'ask', prompt: 'something else', replies: [{ text: 'Something else.' }] },
      { do: 'exit' },
    ],
  },
  {
    name: 'interrupt',
    about: 'Esc in the middle of a reply, then a turn that is not interrupted',
    steps: [
      { do: 'start' },
      {
        do: 'ask',
        prompt: 'tell me a long story',
        replies: [{ text: PROSE, pace: SLOW }],
        meanwhile: [{ atChars: 150, does: { type: 'interrupt' } }],
      },
      { do: 'ask', prompt: 'never mind', replies: [{ text: 'All right, I stopped.' }] },
      { do: 'exit' },
    ],
  },
];
