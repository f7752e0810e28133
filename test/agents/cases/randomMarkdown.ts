import type { Dice } from './Dice.ts';

/** Up to `parts` pieces of Markdown of all kinds, and a unique last line. */
export function randomMarkdown(dice: Dice, parts: number): string {
  const made = Array.from({ length: dice.between(1, parts) }, () => dice.pick(...PARTS)(dice));
  return [...made, `That is all, ${dice.word()} ${dice.between(1000, 9999)} ${dice.word()}.`].join('\n\n');
}

export function sentence(dice: Dice, words: number): string {
  return Array.from({ length: words }, () => dice.word()).join(' ');
}

type Part = (dice: Dice) => string;

const paragraph: Part = (dice) => `${capital(styled(dice, dice.between(3, 30)))}.`;
const long: Part = (dice) => `${capital(styled(dice, dice.between(60, 220)))}.`;
/** Levels 1 and 2 only, because screens do not show which of the lower levels a heading has. */
const heading: Part = (dice) => `${'#'.repeat(dice.between(1, 2))} ${capital(sentence(dice, dice.between(1, 5)))}`;
const quote: Part = (dice) => lines(dice, 1, 3, () => `> ${capital(styled(dice, dice.between(2, 20)))}.`);
const rule: Part = () => '---';

const bullets: Part = (dice) => {
  const isNested = dice.chance(0.3);
  return lines(dice, 2, 9, (at) => `${isNested && at % 3 === 1 ? '  ' : ''}- ${styled(dice, dice.between(1, 24))}`);
};

const numbers: Part = (dice) => lines(dice, 2, 12, (at) => `${at + 1}. ${styled(dice, dice.between(1, 16))}`);
const entries: Part = (dice) => lines(dice, 25, 60, (at) => `- entry ${at + 1} of ${sentence(dice, 3)}`);

const code: Part = (dice) => {
  const body = lines(dice, 1, 6, () => `  ${dice.word()}(${dice.word()}, ${dice.between(1, 99)});`);
  const isLong = dice.chance(0.2);
  const wide = isLong ? `\n  return "${sentence(dice, dice.between(14, 24))}";` : '';
  return `\`\`\`ts\nfunction ${dice.word()}() {\n${body}${wide}\n}\n\`\`\``;
};

const table: Part = (dice) => {
  const row = () => `| ${dice.word()} | ${sentence(dice, dice.between(1, 3))} | ${dice.between(1, 999)} |`;
  return ['| name | words | count |', '| --- | --- | --- |', lines(dice, 1, 5, row)].join('\n');
};

const PARTS: readonly (readonly [number, Part])[] = [
  ...([
    [6, paragraph],
    [2, long],
    [2, heading],
    [2, quote],
    [3, bullets],
  ] as const),
  ...([
    [2, numbers],
    [1, entries],
    [3, code],
    [1, table],
    [1, rule],
  ] as const),
];

/** Words, some of them styled, but never two in a row, because a screen does not show where one style ends and the same one begins. */
function styled(dice: Dice, words: number): string {
  let isPlain = false;
  const one = () => {
    const word = dice.word();
    const looks = [[1, `**${word}**`] as const, [1, `*${word}*`] as const, [2, `\`${word}\``] as const];
    const made = dice.pick([30, word], [1, `${word},`], ...(isPlain ? looks : []));
    isPlain = made === word;
    return made;
  };
  return Array.from({ length: words }, one).join(' ').replace(/,$/, '');
}

function lines(dice: Dice, least: number, most: number, line: (at: number) => string): string {
  return Array.from({ length: dice.between(least, most) }, (_, at) => line(at)).join('\n');
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
