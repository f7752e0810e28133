import type { RigCase } from '../drive/steps.ts';

const GREET = 'export function greet(name: string): string {\n  return "Hello, " + name;\n}\n';
const MANY = Array.from({ length: 60 }, (_, at) => `line ${at + 1} of the output`).join('\n');

/** Cases with tools. */
export const TOOLS: readonly RigCase[] = [
  {
    name: 'tools',
    about: 'a file is read, a command is allowed, one is denied, one fails',
    files: { 'greet.ts': GREET },
    steps: [
      { do: 'start' },
      {
        do: 'ask',
        prompt: 'read greet.ts and explain',
        replies: [
          { text: 'I will read the file first.', tool: { does: 'read', path: 'greet.ts' } },
          { text: 'The file exports `greet(name)`.' },
        ],
      },
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
      {
        do: 'ask',
        prompt: 'delete everything',
        replies: [{ text: 'I will remove the files.', tool: { does: 'shell', command: 'rm -r ./made.txt' } }],
        decides: ['deny'],
      },
      {
        do: 'ask',
        prompt: 'fail please',
        replies: [
          { tool: { does: 'shell', command: 'echo oops >&2; exit 3', prints: 'oops', fails: true } },
          { text: 'The command failed with exit code 3.' },
        ],
      },
      { do: 'exit' },
    ],
  },
  {
    name: 'long-output',
    about: 'a command that prints more than an agent shows',
    steps: [
      { do: 'start' },
      {
        do: 'ask',
        prompt: 'print many lines',
        replies: [
          {
            tool: { does: 'shell', command: "seq -f 'line %g of the output' 60", prints: MANY },
          },
          { text: 'That were sixty lines.' },
        ],
      },
      { do: 'exit' },
    ],
  },
  {
    name: 'edit',
    about: 'a file is written, then edited, with a diff',
    files: { 'greet.ts': GREET },
    steps: [
      { do: 'start' },
      {
        do: 'ask',
        prompt: 'write note.md',
        replies: [
          { tool: { does: 'write', path: 'note.md', content: '# Note\n\nhello\n' } },
          { text: 'I wrote note.md.' },
        ],
      },
      {
        do: 'ask',
        prompt: 'make the greeting friendlier',
        replies: [
          { text: 'I will look at it.', tool: { does: 'read', path: 'greet.ts' } },
          {
            text: 'Now the change.',
            tool: {
              does: 'edit',
              path: 'greet.ts',
              find: '  return "Hello, " + name;',
              replace: '  return "Dear " + name + ", hello";',
            },
          },
          { text: 'It says *dear* now.' },
        ],
      },
      { do: 'exit' },
    ],
  },
  {
    name: 'left-waiting',
    about: 'a question for permission that is left waiting',
    steps: [
      { do: 'start' },
      {
        do: 'ask',
        prompt: 'run date for me',
        replies: [
          {
            text: 'I need your permission.',
            tool: { does: 'shell', command: 'echo waited > waited.txt && cat waited.txt', prints: 'waited' },
          },
          { text: 'Thank you for waiting.' },
        ],
        decides: ['wait'],
      },
      { do: 'exit' },
    ],
  },
];
