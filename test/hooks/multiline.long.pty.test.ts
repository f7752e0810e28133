import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { fuzzSeed } from '../support/fuzzRuns.ts';
import { TestCore, until } from '../support/TestCore.ts';

/** Commands per session; every other one is pasted instead of typed. */
const COMMANDS = 12;

const word = fc.string({ unit: fc.constantFrom(...'abcz019ß漢🙂_-=.,:+@%'), minLength: 1, maxLength: 8 });
/** Any text between quotes or in a here-document. */
const free = fc.string({ unit: fc.constantFrom(...'ab;|& #{}()<>=*?~ 漢🙂'), maxLength: 12 });
const indent = fc.constantFrom('', ' ', '  ', '    ');

/** Lines without effect, which bash leaves out of its history. */
const filler = fc.oneof(
  fc.constant(''),
  word.map((text) => `# ${text} it's`),
);

/** Complete commands of several lines in the grammar of POSIX shells. */
const posix: fc.Arbitrary<string> = fc.letrec<{ command: string; block: string }>((tie) => ({
  command: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.tuple(word, word).map(([a, b]) => `echo ${a} ${b}`),
    fc.tuple(free, free).map(([a, b]) => `echo '${a}\n${b}'`),
    fc.tuple(free, free, free).map(([a, b, c]) => `echo "${a}\n${b}\n${c}"`),
    fc.tuple(word, indent, word).map(([a, space, b]) => `echo ${a} \\\n${space}${b}`),
    fc.tuple(word, word).map(([a, b]) => `echo ${a}\\\n${b}`),
    fc.tuple(free, free).map(([a, b]) => `cat <<'END'\n${a}\n\n${b}\nEND`),
    fc.tuple(word, tie('block')).map(([a, body]) => `for i in ${a} 2\ndo\n${body}\ndone`),
    fc.tuple(word, tie('block')).map(([a, body]) => `for i in ${a}; do\n${body}\ndone`),
    tie('block').map((body) => `while false; do\n${body}\ndone`),
    fc.tuple(tie('block'), tie('block')).map(([a, b]) => `if true\nthen\n${a}\nelse\n${b}\nfi`),
    tie('block').map((body) => `f() {\n${body}\n}`),
    fc.tuple(word, tie('block')).map(([a, body]) => `case ${a} in\n  x) true ;;\n  *)\n${body}\n  ;;\nesac`),
    tie('block').map((body) => `(\n${body}\n)`),
    fc.tuple(tie('command'), word).map(([a, b]) => `true &&\n${a.includes('<<') ? 'true' : a} |\ngrep -v ${b}; true`),
  ),
  block: fc
    .array(fc.tuple(indent, fc.oneof({ weight: 3, arbitrary: tie('command') }, filler)), { minLength: 1, maxLength: 3 })
    .map((lines) => [...lines.map(([space, line]) => space + line), ':'].join('\n')),
})).command;

const fish: fc.Arbitrary<string> = fc.letrec<{ command: string; block: string }>((tie) => ({
  command: fc.oneof(
    { maxDepth: 3 },
    fc.tuple(word, word).map(([a, b]) => `echo '${a}' '${b}'`),
    fc.tuple(free, free).map(([a, b]) => `echo '${a}\n${b}'`),
    fc.tuple(free, free).map(([a, b]) => `echo "${a}\n${b}"`),
    fc.tuple(indent, word).map(([space, a]) => `echo one \\\n${space}'${a}'`),
    fc.tuple(word, tie('block')).map(([a, body]) => `for i in '${a}' 2\n${body}\nend`),
    fc.tuple(tie('block'), tie('block')).map(([a, b]) => `if true\n${a}\nelse\n${b}\nend`),
    tie('block').map((body) => `begin\n${body}\nend`),
    tie('block').map((body) => `function f\n${body}\nend`),
  ),
  block: fc
    .array(fc.tuple(indent, fc.oneof({ weight: 3, arbitrary: tie('command') }, filler)), { minLength: 1, maxLength: 3 })
    .map((lines) => [...lines.map(([space, line]) => space + line), 'true'].join('\n')),
})).command;

let core: TestCore;
afterEach(() => core.dispose());

/** Types or pastes each text at its own prompt; returns the commands of the cards. */
async function said(shell: string, rc: Record<string, string>, texts: readonly string[]): Promise<(string | null)[]> {
  core = await TestCore.start();
  for (const [path, text] of Object.entries(rc)) core.write(path, text);
  const terminal = await core.open(shell);
  const cards: (string | null)[] = [];
  for (const [n, text] of texts.entries()) {
    const before = terminal.book.lastSeq;
    const keys = n % 2 === 0 ? text.replaceAll('\n', '\r') : `\x1b[200~${text.replaceAll('\n', '\r')}\x1b[201~`;
    terminal.type(`${keys}\r`);
    await until(terminal, ({ book, view }) => book.lastSeq > before && book.runningId === null && view.atPrompt);
    const { blocks } = await terminal.book.page({ limit: terminal.book.lastSeq - before });
    expect(blocks, `cards for ${JSON.stringify(text)}`).toHaveLength(1);
    cards.push(blocks[0]?.cmd ?? null);
  }
  return cards;
}

function sample(command: fc.Arbitrary<string>): { seed: number; texts: string[] } {
  const seed = fuzzSeed();
  return { seed, texts: fc.sample(command, { numRuns: COMMANDS, seed }) };
}

test.each([
  ['bash', '.bashrc', '', posix],
  ['bash', '.bashrc', 'shopt -s lithist', posix],
  ['bash', '.bashrc', 'HISTCONTROL=ignoreboth', posix],
  ['bash', '.bashrc', "HISTTIMEFORMAT='%F %T '; set -o vi", posix],
  ['bash', '.bashrc', "PROMPT_COMMAND='history -a; history -c; history -r'", posix],
  ['zsh', '.zshrc', 'setopt interactive_comments', posix],
  ['zsh', '.zshrc', 'setopt interactive_comments hist_ignore_space extended_history; HISTFILE=~/.h SAVEHIST=9', posix],
  ['zsh', '.zshrc', 'setopt interactive_comments; HISTSIZE=0', posix],
  ['fish', '.config/fish/config.fish', '', fish],
  ['fish', '.config/fish/config.fish', 'set -g fish_private_mode 1', fish],
])(
  '%s reports the exact text of commands in several lines, typed and pasted (%s: %s)',
  async (shell, file, rc, command) => {
    const { seed, texts } = sample(command);
    expect(await said(shell, { [file]: rc }, texts), `seed ${seed}`).toEqual(texts);
  },
);

test.each([
  'shopt -u cmdhist',
  'HISTCONTROL=erasedups',
  'HISTSIZE=0',
  'HISTSIZE=2',
  'set +o history',
  "HISTIGNORE='echo*:for*'",
  "readonly HISTTIMEFORMAT='%F %T '",
])('bash reports the exact text of commands in several lines, or none: %s', async (rc) => {
  const { seed, texts } = sample(
    fc.oneof(
      posix,
      posix.map((text) => ` ${text}`),
    ),
  );
  const cards = await said('bash', { '.bashrc': rc }, texts);
  expect(
    cards.map((cmd, n) => cmd ?? texts[n]),
    `seed ${seed}`,
  ).toEqual(texts);
});

test('what bash keeps out of its history has the text that the screen shows, however soon it ends', async () => {
  core = await TestCore.start();
  core.write('.bashrc', 'HISTCONTROL=ignoreboth');
  const terminal = await core.open('bash');
  for (const line of [' echo hidden', 'echo twice', 'echo twice']) {
    const before = terminal.book.lastSeq;
    terminal.type(`${line}\r`);
    await until(terminal, ({ book, view }) => book.lastSeq > before && book.runningId === null && view.atPrompt);
  }
  const cards = async () =>
    (await terminal.book.page({ limit: 3 })).blocks.map(({ cmd, ephemeral }) => [cmd, ephemeral]);
  await expect.poll(cards).toEqual([
    [' echo hidden', true],
    ['echo twice', false],
    ['echo twice', false],
  ]);
});
