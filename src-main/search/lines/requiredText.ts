import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** Searching for more texts is as slow as the expression itself. */
const MAX_TEXTS = 16;
const MAX_REPEATS = 32;

/**
 * The longest known texts of which every match of the expression contains at least one; null if there are none, or if the expression cannot be
 * parsed. Their letters have the case of the expression.
 */
export function requiredText(source: string, flags: string): readonly string[] | null {
  try {
    const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: flags.includes('u') });
    return textsOfAny(pattern.alternatives);
  } catch {
    return null; // the engine may support syntax that the parser does not: every line is matched then
  }
}

type Texts = readonly string[] | null;

function textsOfAny(alternatives: readonly AST.Alternative[]): Texts {
  const all: string[] = [];
  for (const { elements } of alternatives) {
    const run = new Run();
    for (const element of elements) run.take(element);
    const own = run.best;
    if (own === null) return null;
    all.push(...own);
  }
  return all.length > MAX_TEXTS ? null : all;
}

/** Reads consecutive elements. */
class Run {
  #text = '';
  #best: Texts = null;

  get best(): Texts {
    this.#end();
    return this.#best;
  }

  take(element: AST.Element): void {
    switch (element.type) {
      case 'Character':
        this.#text += String.fromCodePoint(element.value);
        return;
      case 'Assertion':
        return; // matches no characters, so the elements around it stay adjacent
      case 'Group':
      case 'CapturingGroup':
        return this.#takeGroup(element);
      case 'Quantifier':
        return this.#takeQuantifier(element);
      default:
        this.#end();
    }
  }

  #takeGroup(group: AST.Group | AST.CapturingGroup): void {
    const [only, ...others] = group.alternatives;
    if (group.type === 'Group' && group.modifiers) return this.#end(); // the group has other flags
    if (only && others.length === 0) {
      for (const element of only.elements) this.take(element);
      return;
    }
    this.#end();
    this.#consider(textsOfAny(group.alternatives));
  }

  #takeQuantifier({ element, min, max }: AST.Quantifier): void {
    for (let count = Math.min(min, MAX_REPEATS); count > 0; count -= 1) this.take(element);
    if (max > Math.min(min, MAX_REPEATS)) this.#end();
  }

  #end(): void {
    if (this.#text !== '') this.#consider([this.#text]);
    this.#text = '';
  }

  #consider(texts: Texts): void {
    if (texts && shortest(texts) > shortest(this.#best ?? [''])) this.#best = texts;
  }
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map(({ length }) => length));
}
