import type { RigCase } from '../drive/steps.ts';
import { QUOTE_AND_LISTS } from './texts.ts';

/** The case for versions other than the pinned one. */
export const VERSION_CASE = 'basic';

/** A short case, because every version of every agent plays it. */
export const BASIC: RigCase = {
  name: VERSION_CASE,
  about: 'an answer, a quote with lists behind it, a command that asks for permission',
  steps: [
    { do: 'start' },
    { do: 'ask', prompt: 'hello there', replies: [{ text: 'Hello! I am ready to help with this project.' }] },
    { do: 'ask', prompt: 'show me a quote and a list', replies: [{ text: QUOTE_AND_LISTS }] },
    {
      do: 'ask',
      prompt: 'run the printf command',
      replies: [
        {
          text: 'Running the command now.',
          tool: { does: 'shell', command: "printf 'alpha\\nbeta\\n' && touch made.txt", prints: 'alpha\nbeta' },
        },
        { text: 'Done. It printed `alpha` and `beta`.' },
      ],
    },
    { do: 'ask', prompt: 'thanks, bye', replies: [{ text: 'You are welcome. Call me again when you need me.' }] },
    { do: 'exit' },
  ],
};
