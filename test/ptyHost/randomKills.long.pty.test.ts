import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Block } from '../../src-main/contract/block.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { soon } from '../support/soon.ts';
import { OneTerminal } from './OneTerminal.ts';

/** What a person does, and what the screen shows before they do the next. Without `shown` they wait for the prompt. `NN` is the number of the act. */
type Step = ({ line: string } | { keys: string } | { cols: number; rows: number }) & { shown?: RegExp };
type Act = readonly Step[];

/** Prints the row `end-NN`, and is no such row itself. */
const END = `printf 'e%s\\n' nd-NN`;
const ends = (line: string): Act => [{ line: `${line}; ${END}` }];

const ANY_SHELL: readonly Act[] = [
  [{ line: `${END}; false` }],
  [{ line: `nosuchcommand_x; ${END}` }],
  [{ line: 'printf partial' }, { line: END }],
  ends(String.raw`printf "a\tb\r\n\033[31mred\033[0m \033]8;;http://x.y\033\\link\033]8;;\033\\\\\n"`),
  ends('seq 1 300'),
  ends('clear'),
  ends('reset'),
  ends(String.raw`printf "\033[2J\033[3J\033[Hwiped\n"`),
  ends(String.raw`printf "\033[5;10Haddressed\033[J\n"`),
  ends(String.raw`printf "\033Pq#0;2;0;0;0#0~~@@vv@@~~-\033\\\\after an image\n"`),
  ends(String.raw`head -c 3000 /dev/zero | tr "\\0" x; echo`),
  [
    { line: 'cat', shown: /cat$/ },
    { keys: 'first NN\r', shown: /first NN\s+first NN/ },
    { keys: '\x04' },
    { line: END },
  ],
  [
    { line: 'vim -u NONE -N -n -i NONE note-NN', shown: /"note-NN".*New/ },
    { keys: 'ihello NN\x1b', shown: /hello NN(?![\s\S]*INSERT)/ },
    { keys: `:wq\r` },
    { line: END },
  ],
  [
    { line: 'seq 1NN01 1NN90 | less', shown: /^1NN01[\s\S]*\n:$/ },
    { keys: ' ', shown: /^(?!1NN01)[\s\S]*\n:$/ },
    { keys: 'q' },
    { line: END },
  ],
  [
    { line: 'python3 -q', shown: />>> *$/ },
    { keys: 'print("sum", 1NN000 + 7)\r', shown: /sum 1NN007[\s\S]*>>> *$/ },
    { keys: 'exit()\r' },
    { line: END },
  ],
  [
    {
      line: `tmux -L kills-$$-NN -f /dev/null new "sh -c 'echo in-NN; read x'"`.replace('$$', String(process.pid)),
      shown: /in-NN/,
    },
    { keys: '\r' },
    { line: END },
  ],
  [
    { line: 'env -u PS1 sh -i', shown: /\n[$#]$/ },
    { keys: 'echo inner-NN\r', shown: /\ninner-NN/ },
    { keys: 'exit 4\r' },
    { line: END },
  ],
  [{ line: `sleep 300`, shown: /sleep 300/ }, { keys: '\x03' }, { line: END }],
  [{ cols: 60, rows: 20 }],
  [{ cols: 100, rows: 30 }],
  [{ line: ` ${END}` }],
  [{ line: '' }],
  [{ keys: `printf 'e%s\\n' nd-NN\r` }],
  [{ keys: 'printf half-NN', shown: /half-NN/ }, { keys: '"\\n"\r' }, { line: END }],
];
const POSIX_SHELL: readonly Act[] = [
  ends('for i in 1 2 3; do\n  echo "row $i"\ndone'),
  ends('for i in 1 2 3 4 5; do printf "\\rstep $i"; sleep 0.05; done; echo'),
  [{ line: 'cat <<X\nhere à 日本\nX' }, { line: END }],
  [{ line: 'read x; echo "got $x"', shown: /got \$x"$/ }, { keys: 'value\r' }, { line: END }],
  [
    { line: 'stty -echo; echo in-NN; read -r y; stty echo; echo "of $y"', shown: /\nin-NN/ },
    { keys: 'secret\r' },
    { line: END },
  ],
  [
    { line: `printf "\\033[?1049h\\033[Hleft-NN"; read x; printf "\\033[?1049l"; ${END}`, shown: /^left-NN/ },
    { keys: '\r' },
  ],
  [
    { line: 'sleep 300', shown: /sleep 300/ },
    { keys: '\x1a' },
    { line: 'fg', shown: /fg\s.*sleep 300$/ },
    { keys: '\x03' },
    { line: END },
  ],
];
const SHELLS: [shell: string, pool: readonly Act[]][] = [
  ['bash', [...ANY_SHELL, ...POSIX_SHELL]],
  ['zsh', [...ANY_SHELL, ...POSIX_SHELL]],
  ['fish', ANY_SHELL],
];

/** When the core is killed behind a step: ms after its keys, or once the screen shows what it shows. */
type Kill = number | 'shown' | null;
const kill: fc.Arbitrary<Kill> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: fc.nat(120) },
  { weight: 2, arbitrary: fc.constant('shown' as const) },
);

test.each(SHELLS)(
  '%s has the same cards and screen with kills of the core as without',
  { timeout: 3_000_000 },
  async (shell, pool) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...pool), { minLength: 8, maxLength: 8 }),
        fc.infiniteStream(kill),
        async (acts, kills) => {
          const whole = await play(shell, acts, null);
          expect(await play(shell, acts, kills)).toEqual(whole);
        },
      ),
      { ...fuzzRuns(1), endOnFailure: true },
    );
  },
);

async function play(shell: string, acts: readonly Act[], kills: Iterator<Kill> | null) {
  const cwd = join(tmpdir(), `hansard-kills-${process.pid}`);
  mkdirSync(cwd);
  const env = { PS1: '$ ', HISTFILE: '', LANG: 'C.UTF-8', HOME: cwd, fish_autosuggestion_enabled: '0' }; // its ghost text may stay in a row
  const one = await OneTerminal.open({ shell, cwd, env });
  const log: string[] = [];
  try {
    await waitFor(one, {}, 0);
    for (const [at, act] of acts.entries()) {
      for (const step of act) {
        const when = kills?.next().value ?? null;
        log.push(`${JSON.stringify(step)} ${String(when)}`);
        await take(one, step, at);
        if (typeof when === 'number') {
          await sleep(when);
          await renew(one, step);
        }
        await waitFor(one, step, at);
        if (when === 'shown') await renew(one, step);
      }
    }
    return { cards: await readCards(one), screen: await readScreen(one), dividers: await readDividers(one) };
  } catch (error) {
    throw new Error(`after\n${log.join('\n')}`, { cause: error });
  } finally {
    await one.dispose();
    rmSync(cwd, { recursive: true, force: true });
  }
}

const numbered = (text: string, at: number) => text.replaceAll('NN', String(at));

async function take(one: OneTerminal, step: Step, at: number): Promise<void> {
  const { id } = one;
  if ('line' in step) await one.submit(numbered(step.line, at));
  else if ('keys' in step) await one.api.terminal.write.mutate({ id, data: numbered(step.keys, at) });
  else await one.api.terminal.resize.mutate({ id, cols: step.cols, rows: step.rows });
}

/** Kills the core, and connects to the next one as a window does: with its size. */
async function renew(one: OneTerminal, step: Step): Promise<void> {
  await one.renew('core');
  if ('cols' in step) await one.api.terminal.resize.mutate({ id: one.id, cols: step.cols, rows: step.rows });
}

/** Waits until the screen shows what the step leads to. */
async function waitFor(one: OneTerminal, step: Partial<Step>, at: number): Promise<void> {
  const printsEnd = 'line' in step && step.line?.includes(END);
  const shown = step.shown ?? (printsEnd ? /^end-NN$/m : null);
  if (shown !== null) await soon(() => readScreen(one)).toMatch(new RegExp(numbered(shown.source, at), shown.flags));
  if (step.shown) return;
  await soon(async () => (await one.view())?.atPrompt).toBe(true);
  await soon(() => readScreen(one)).toMatch(/[$#%>]$/); // what is typed before the prompt is drawn is shown twice
}

async function readScreen(one: OneTerminal): Promise<string> {
  return (await one.app.run('screen', one.id)).stdout.replaceAll(/ +$/gm, '').trimEnd();
}

/** What a card shows, and what its text is. Times, ids and offsets differ from one session to the next, as do the bytes in which tmux draws a screen. */
async function readCards(one: OneTerminal) {
  const { blocks } = await one.api.block.page.query({ terminalId: one.id, limit: 1000 });
  return Promise.all(
    blocks
      .filter(({ ephemeral }) => !ephemeral)
      .map(async (block) => ({ ...withoutTimes(block), ...(await textsOf(one, block)) })),
  );
}

async function textsOf(one: OneTerminal, { id: blockId }: Block) {
  const { text } = await one.api.block.text.query({ terminalId: one.id, blockId, what: 'output' });
  const { lines } = await one.api.block.lines.query({ terminalId: one.id, blockId, from: 0, count: 500 });
  return { text, lines };
}

const withoutTimes = ({
  id,
  terminalId,
  startedMs,
  endedMs,
  durationMs,
  rawStart,
  rawEnd,
  outputBytes,
  ...rest
}: Block) => (rest.usedAltScreen ? rest : { ...rest, outputBytes });

async function readDividers(one: OneTerminal) {
  const dividers = await one.api.block.dividers.query({ terminalId: one.id });
  return dividers.map(({ atMs, ...rest }) => rest);
}
