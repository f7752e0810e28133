import { programName } from './programs.ts';

/** Equivalent options, for programs whose deny rules matter most: `-rf` then denies `-R --force` too. */
const SAME: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rm: { R: 'r', recursive: 'r', force: 'f', interactive: 'i' },
  cp: { R: 'r', recursive: 'r', force: 'f' },
  mv: { force: 'f' },
  ln: { force: 'f', symbolic: 's' },
  chmod: { recursive: 'R' },
  chown: { recursive: 'R' },
  chgrp: { recursive: 'R' },
  git: { force: 'f' },
};
/** Programs whose first word may be option letters without a dash: `tar xf`. */
const DASHLESS: ReadonlySet<string> = new Set(['tar', 'gtar', 'bsdtar', 'star', 'ar']);
/** `-rf` is letters, `-delete` is a name. */
const MAX_LETTERS = 3;

/**
 * Whether one of the words after `program` could mean `flag`: literally, with a value after "=" or directly attached, among other letters or letter
 * by letter, or abbreviated (`--rec`). "--" does not end options, because it may itself be an option's value. Errs towards true.
 */
export function hasFlag(program: string, words: readonly string[], flag: string): boolean {
  const [first = '', ...others] = words;
  const begin = DASHLESS.has(programName(program)) ? first.replace(/^(?!-)/, '-') : first;
  const given = [begin, ...others].filter((word) => /^-./.test(word));
  const name = nameOf(flag);
  if (given.some((word) => nameOf(word) === name)) return true;
  const same = SAME[programName(program)] ?? {};
  if (flag.startsWith('--')) {
    if (given.some((word) => isShortened(word, name))) return true;
    const letter = Object.hasOwn(same, name) ? same[name] : undefined;
    return letter !== undefined && lettersOf(given, same).has(letter);
  }
  if (name.length > MAX_LETTERS) return false;
  const letters = lettersOf(given, same);
  return [...name].every((letter) => letters.has(Object.hasOwn(same, letter) ? (same[letter] ?? letter) : letter));
}

function nameOf(word: string): string {
  return word.replace(/^-+/, '').replace(/=.*/s, '');
}

function isShortened(word: string, name: string): boolean {
  return word.startsWith('--') && word.length > 2 && name.startsWith(nameOf(word));
}

/** All letters in single-dash options, and the letters that long options are equivalent to. */
function lettersOf(given: readonly string[], same: Readonly<Record<string, string>>): ReadonlySet<string> {
  const letters = given.flatMap((word) => {
    if (!word.startsWith('--'))
      return [...word.slice(1)].map((letter) => (Object.hasOwn(same, letter) ? same[letter] : letter));
    return Object.entries(same).flatMap(([name, letter]) =>
      name.length > 1 && isShortened(word, name) ? [letter] : [],
    );
  });
  return new Set(letters.filter((letter) => letter !== undefined));
}
