import type { Decision, Meanwhile, RigCase, Step } from '../drive/steps.ts';
import { type Reply, SLOW, type ToolUse, TYPING } from '../scriptedModel/script.ts';
import { Dice } from './Dice.ts';
import { randomMarkdown, sentence } from './randomMarkdown.ts';

type Ask = Extract<Step, { do: 'ask' }>;

const NAME = /^random-(\d+)$/;
const GREET = 'export function greet(name: string): string {\n  return "Hello, " + name;\n}\n';
/** Characters that open a list of commands, files or skills in the agents' input boxes. */
const POPUPS = ['/', '@', '$'] as const;

export const randomName = (seed: number) => `random-${seed}`;

export function seedOf(name: string): number | null {
  const seed = NAME.exec(name)?.[1];
  return seed === undefined ? null : Number(seed);
}

/** The random case of that name, or null. The seed in the name decides everything. */
export function randomCase(name: string): RigCase | null {
  const seed = seedOf(name);
  return seed === null ? null : compose(seed);
}

function compose(seed: number): RigCase {
  const dice = new Dice(seed);
  const size = { cols: dice.between(60, 140), rows: dice.between(24, 44) };
  const turns = Array.from({ length: dice.between(3, 6) }, (_, at) => turnOf(dice, { seed, at, size }));
  return {
    name: randomName(seed),
    about: `composed from the seed ${seed}`,
    size,
    isAdaptable: true,
    resizes: true,
    files: { 'greet.ts': GREET },
    steps: [{ do: 'start' }, ...turns.flat(), { do: 'exit' }],
  };
}

interface Place {
  readonly seed: number;
  readonly at: number;
  readonly size: { readonly cols: number; readonly rows: number };
}

/** A turn and the person's actions after it. */
function turnOf(dice: Dice, place: Place): Step[] {
  const prompt = `${sentence(dice, dice.between(2, 14))} ${place.seed}x${place.at}`;
  const ask = dice.pick([4, talk], [3, useTool], [1, interrupted], [2, resized], [1, queued])(dice, prompt, place);
  return [ask, ...behind(dice, prompt)];
}

type Make = (dice: Dice, prompt: string, place: Place) => Ask;

const talk: Make = (dice, prompt) => ({ do: 'ask', prompt, ...pasted(dice), replies: [answer(dice)] });

const useTool: Make = (dice, prompt, { at }) => {
  const tool = toolOf(dice, at);
  const decision = dice.pick<Decision>([4, 'allow'], [2, 'deny'], [1, 'wait']);
  const before = dice.chance(0.7) ? { text: `${sentence(dice, dice.between(3, 20))}.` } : {};
  const isAsked = tool.does !== 'read';
  return {
    do: 'ask',
    prompt,
    replies: [{ ...before, tool }, ...(isAsked && decision === 'deny' ? [] : [answer(dice)])],
    ...(isAsked && { decides: [decision] }),
  };
};

const interrupted: Make = (dice, prompt) => ({
  do: 'ask',
  prompt,
  replies: [{ text: randomMarkdown(dice, 4), pace: SLOW }],
  meanwhile: [{ atChars: dice.between(20, 120), does: { type: 'interrupt' } }],
});

/** Up to three resizes during one answer, or the window detaches and attaches again. */
const resized: Make = (dice, prompt, { size }) => {
  const text = randomMarkdown(dice, 5);
  const isAway = dice.chance(0.15);
  const count = isAway ? 2 : dice.between(1, 3);
  const places = Array.from({ length: count }, () => dice.between(1, text.length)).sort((a, b) => a - b);
  const doing = (at: number): Meanwhile['does'] =>
    isAway
      ? { type: at === 0 ? 'detach' : 'attach' }
      : { type: 'resize', cols: dice.between(50, size.cols + 20), rows: dice.between(20, size.rows + 6) };
  const meanwhile = places.map((atChars, at) => ({ atChars, does: doing(at) }));
  return { do: 'ask', prompt, replies: [{ text, pace: SLOW }], meanwhile };
};

const queued: Make = (dice, prompt) => ({
  do: 'ask',
  prompt,
  replies: [{ text: `${sentence(dice, 60)}.\n\n${randomMarkdown(dice, 5)}`, pace: SLOW }], // lasts longer than typing the queued prompt
  queued: {
    prompt: `then ${sentence(dice, 4)} after ${prompt.split(' ').at(-1)}`,
    replies: [answer(dice)],
    ...(dice.chance(0.4) && { cuts: true }),
  },
});

function answer(dice: Dice): Reply {
  return {
    ...(dice.chance(0.2) && { thinking: sentence(dice, 12) }),
    text: randomMarkdown(dice, dice.pick([5, 2], [3, 5], [1, 12])),
    pace: dice.pick([3, TYPING], [2, 'burst' as const]),
  };
}

function pasted(dice: Dice): { isPasted?: true } {
  return dice.chance(0.15) ? { isPasted: true } : {};
}

function toolOf(dice: Dice, at: number): ToolUse {
  const rows = dice.between(1, 40);
  const word = dice.word();
  const prints = Array.from({ length: rows }, (_, row) => `${word} ${row + 1}`).join('\n');
  return dice.pick<ToolUse>(
    [3, { does: 'shell', command: `seq -f '${word} %g' ${rows} | tee ${word}${at}.txt`, prints }],
    [1, { does: 'shell', command: `echo ${word} >&2; exit 3`, prints: word, fails: true }],
    [1, { does: 'read', path: 'greet.ts' }],
    [1, { does: 'write', path: `${word}${at}.md`, content: `# ${word}\n\n${sentence(dice, 9)}\n` }],
  );
}

function behind(dice: Dice, prompt: string): Step[] {
  return dice.pick<Step[]>(
    [6, []],
    [2, [{ do: 'popup', key: dice.of(POPUPS) }]],
    [1, [{ do: 'redraw' }]],
    [1, [{ do: 'resize', cols: dice.between(50, 150), rows: dice.between(20, 48) }]],
    [1, [{ do: 'clear' }]],
    [1, [{ do: 'compact' }, ...dice.pick<Step[]>([1, []], [1, [{ do: 'clear' }]])]],
    [1, [{ do: 'help' }]],
    [2, [{ do: 'exit' }, { do: 'shell', command: `echo ${prompt.split(' ').at(-1)}` }, startOf(dice)]],
  );
}

function startOf(dice: Dice): Step {
  return dice.pick<Step>(
    [2, { do: 'start' }],
    [1, { do: 'start', resumes: true }],
    [1, { do: 'start', resumes: true, elsewhere: true }],
  );
}
