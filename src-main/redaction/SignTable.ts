import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** Characters are mapped to 32 classes, so that three of them take 15 bits: letters regardless of case, digits, these signs, and all others. */
const SIGNS = '_-.:';
const DIGIT = 26;
const OTHER = 31;
const ANY = -1;
const CLASS_BITS = 5;
const WINDOW = 3;
const INDEX_MASK = (1 << (CLASS_BITS * WINDOW)) - 1;
/** Maximum number of leading characters to analyze per expression. */
const MAX_CHARS = 12;
/** Relative frequency in texts; other letters and signs weigh 1. */
const FREQUENT = [
  ['etaoinsrk', 4],
  ['lcdupmy', 2],
] as const;
const FREQUENT_CLASS = 8;

/** The characters at the start of a match, each as a set of classes. */
interface Beginning {
  readonly sets: readonly number[];
  /** Whether the next characters are known too. */
  readonly isOpen: boolean;
}

/**
 * Determines in one pass over a text which of up to 32 groups of expressions may match: every match contains three consecutive characters that the
 * table has for its group. Ignores case.
 */
export class SignTable {
  readonly #table = new Int32Array(INDEX_MASK + 1);

  /** The sources of the expressions, by group. */
  constructor(groups: readonly (readonly string[])[]) {
    if (groups.length > 32) throw new RangeError(`${groups.length} groups of expressions: at most 32 have a bit`);
    for (const [at, sources] of groups.entries()) for (const source of sources) this.#add(source, 1 << at);
  }

  /** A bit for each group that may match. */
  maskOf(text: string): number {
    const table = this.#table;
    let mask = 0;
    let last = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      last = ((last << CLASS_BITS) | (code < 128 ? (CLASSES[code] as number) : OTHER)) & INDEX_MASK;
      mask |= table[last] as number;
    }
    return mask;
  }

  #add(source: string, bit: number): void {
    const { alternatives } = new RegExpParser().parsePattern(source);
    for (const { sets } of alternatives.flatMap(beginningsOf)) {
      const [first, second, third] = rarestWindow(sets).map(classesIn);
      for (const a of first ?? [])
        for (const b of second ?? [])
          for (const c of third ?? []) {
            const index = (a << (CLASS_BITS * 2)) | (b << CLASS_BITS) | c;
            this.#table[index] = (this.#table[index] as number) | bit;
          }
    }
  }
}

const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => classOf(code));

function classOf(code: number): number {
  const char = String.fromCharCode(code).toLowerCase();
  if (char >= 'a' && char <= 'z') return char.charCodeAt(0) - 97;
  if (char >= '0' && char <= '9') return DIGIT;
  const sign = SIGNS.indexOf(char);
  return code < 128 && sign >= 0 ? DIGIT + 1 + sign : OTHER;
}

function beginningsOf({ elements }: AST.Alternative): Beginning[] {
  let all: Beginning[] = [{ sets: [], isOpen: true }];
  for (const element of elements) all = extended(all, partsOf(element));
  return all;
}

function extended(all: readonly Beginning[], parts: readonly Beginning[]): Beginning[] {
  return all.flatMap((one) => {
    if (!one.isOpen) return [one];
    return parts.map(({ sets, isOpen }) => {
      const joined = [...one.sets, ...sets];
      return { sets: joined, isOpen: isOpen && joined.length < MAX_CHARS };
    });
  });
}

function partsOf(element: AST.Element): Beginning[] {
  switch (element.type) {
    case 'Assertion':
      return [{ sets: [], isOpen: true }]; // consumes no characters
    case 'Character':
    case 'CharacterClass':
    case 'CharacterSet':
      return [{ sets: [setOf(element)], isOpen: true }];
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.flatMap(beginningsOf);
    case 'Quantifier':
      return repeated(element);
    default:
      return [{ sets: [], isOpen: false }];
  }
}

function repeated({ element, min, max }: AST.Quantifier): Beginning[] {
  let all: Beginning[] = [{ sets: [], isOpen: true }];
  for (let count = Math.min(min, MAX_CHARS); count > 0; count -= 1) all = extended(all, partsOf(element));
  if (max === min + 1) return [...all, ...extended(all, partsOf(element))];
  return max === min ? all : all.map(({ sets }) => ({ sets, isOpen: false }));
}

function setOf(element: AST.Character | AST.CharacterClass | AST.CharacterSet): number {
  if (element.type === 'Character') return 1 << classOf(element.value);
  if (element.type === 'CharacterSet') {
    if (element.kind === 'digit' && !element.negate) return 1 << DIGIT;
    return element.kind === 'space' && !element.negate ? 1 << OTHER : ANY;
  }
  if (element.negate) return ANY;
  let set = 0;
  for (const one of element.elements) {
    if (one.type === 'Character' || one.type === 'CharacterSet') set |= setOf(one);
    else if (one.type === 'CharacterClassRange') set |= rangeOf(one.min.value, one.max.value);
    else return ANY;
  }
  return set;
}

function rangeOf(min: number, max: number): number {
  let set = max >= 128 ? 1 << OTHER : 0;
  for (let code = min; code <= Math.min(max, 127); code += 1) set |= 1 << classOf(code);
  return set;
}

/** The three neighbours that are rarest in texts. A shorter beginning is padded with any characters in front. */
function rarestWindow(sets: readonly number[]): number[] {
  const padded = [...new Array<number>(Math.max(0, WINDOW - sets.length)).fill(ANY), ...sets];
  const windows = padded.slice(WINDOW - 1).map((_, at) => padded.slice(at, at + WINDOW));
  return windows.reduce((best, one) => (weightOf(one) < weightOf(best) ? one : best));
}

function weightOf(window: readonly number[]): number {
  return window.reduce((all, set) => all * classesIn(set).reduce((sum, one) => sum + frequencyOf(one), 0), 1);
}

function frequencyOf(one: number): number {
  if (one === OTHER || one === DIGIT) return FREQUENT_CLASS;
  const letter = String.fromCharCode(97 + one);
  return FREQUENT.find(([letters]) => letters.includes(letter))?.[1] ?? 1;
}

function classesIn(set: number): number[] {
  return Array.from({ length: 32 }, (_, one) => one).filter((one) => (set >>> one) & 1);
}
