import { CliError, EXIT } from '../print/exitCodes.ts';

/** How many known ids an error lists. */
const MAX_LISTED = 8;

export interface Named {
  id: string;
  /** Name for people; one line. */
  label: string;
}

/**
 * Finds the one of `known` with this id, the part of its id before the dash (a block's number), or another unique start. Throws a CliError with the
 * known ids otherwise.
 */
export function findId<T extends Named>(wanted: string, known: readonly T[], noun: string): T {
  const matches = matching(wanted, known);
  const [only] = matches;
  if (only && matches.length === 1) return only;
  const isAmbiguous = matches.length > 1;
  const problem = isAmbiguous
    ? `"${wanted}" could be any of ${matches.length} ${noun}s:`
    : `no ${noun} "${wanted}". There are:`;
  throw new CliError(`${problem}${listKnown(isAmbiguous ? matches : known)}`, EXIT.noInput);
}

/** All of `known` that `wanted` may mean, by the strictest reading with a match. */
export function matching<T extends { id: string }>(wanted: string, known: readonly T[]): T[] {
  const readings = [
    ({ id }: T) => id === wanted,
    ({ id }: T) => id.startsWith(`${wanted}-`),
    ({ id }: T) => id.startsWith(wanted),
  ];
  if (wanted === '') return [];
  for (const reading of readings) {
    const matches = known.filter(reading);
    if (matches.length > 0) return matches;
  }
  return [];
}

/** Lists the known ids, below a sentence that ends in a colon. */
export function listKnown(known: readonly Named[]): string {
  const listed = known.slice(0, MAX_LISTED).map(({ id, label }) => `\n  ${id}  ${shorten(label)}`);
  const more = known.length - listed.length;
  if (known.length === 0) return ' none';
  return listed.join('') + (more > 0 ? `\n  … and ${more} more` : '');
}

const MAX_LABEL_CHARS = 60;

function shorten(label: string): string {
  const line = label.replace(/\s+/g, ' ');
  return line.length > MAX_LABEL_CHARS ? `${line.slice(0, MAX_LABEL_CHARS - 1).toWellFormed()}…` : line;
}
