import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { fuzzSeed } from '../support/fuzzRuns.ts';
import { RealShell } from '../support/RealShell.ts';

/** Commands per session: enough for every kind of line with every history setting, few enough to take seconds. */
const COMMANDS = 60;

interface Line {
  keys: string;
  exit: number;
}

/** Text without quotes, backslashes and `!`, which the shells' editors or histories would change. */
const word = fc.string({
  unit: fc.constantFrom(...'abc ;|&$*?~#%{}()[]<>=,.-_äß漢🙂'),
  minLength: 1,
  maxLength: 40,
});
const exit = fc.integer({ min: 0, max: 255 });
const indent = fc.constantFrom('', '', '', ' ', '  ');
const line: fc.Arbitrary<Line> = fc.oneof(
  fc.tuple(indent, word).map(([space, text]) => ({ keys: `${space}echo '${text}'`, exit: 0 })),
  fc.tuple(indent, exit).map(([space, code]) => ({ keys: `${space}sh -c 'exit ${code}'`, exit: code })),
  fc.constantFrom('true', 'echo again', ' echo hidden').map((keys) => ({ keys, exit: 0 })),
  word.map((text) => ({ keys: `echo 'one\r${text}'`, exit: 0 })),
);

let shell: RealShell;
afterEach(async () => await shell.dispose());

test.each([
  ['bash', '.bashrc', 'HISTCONTROL=ignoreboth HISTSIZE=20'],
  ['bash', '.bashrc', "HISTCONTROL=erasedups; shopt -s lithist; PROMPT_COMMAND='history -a; history -c; history -r'"],
  ['zsh', '.zshrc', 'setopt hist_ignore_space hist_reduce_blanks share_history; HISTSIZE=5 SAVEHIST=5 HISTFILE=~/.h'],
  ['fish', '.config/fish/config.fish', ''],
])(
  '%s tells any commands one by one, with their own text or none, and their status (%s: %s)',
  async (name, file, rc) => {
    shell = await RealShell.start({ shell: name, home: { [file]: rc } });
    const seed = fuzzSeed();
    const lines = fc.sample(line, { numRuns: COMMANDS, seed });
    for (const { keys } of lines) await shell.run(keys);
    const said = shell.cards.map(({ cmd, exit }, at) => ({
      keys: cmd ?? lines[at]?.keys.replaceAll('\r', '\n'),
      exit,
    }));
    expect(said, `seed ${seed}`).toEqual(lines.map(({ keys, exit }) => ({ keys: keys.replaceAll('\r', '\n'), exit })));
  },
);
