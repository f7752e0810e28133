import type { ChoiceKind, CompletionChoice } from '../contract/completion.ts';

/** A possible choice before it is quoted. */
export interface Candidate {
  /** As the shell would read it. */
  value: string;
  /** The text that is compared with the typed text, and shown. */
  label: string;
  kind: ChoiceKind;
  detail?: string | undefined;
  description?: string | undefined;
  /** The same word continues after it. */
  isOpen?: boolean;
}

const MAX_CHOICES = 100;
const MAX_DESCRIPTION = 300;

/**
 * The candidates that fit `typed`: those that begin so before those that hold it, case ignored; in each, kinds in the order of `candidates`,
 * what was used lately first within its kind.
 */
export function rank(
  candidates: readonly Candidate[],
  typed: string,
  lastUsed: ReadonlyMap<string, number>,
): Candidate[] {
  const wanted = typed.toLowerCase();
  const kinds = new Map<ChoiceKind, number>();
  const seen = new Set<string>();
  const fits: { candidate: Candidate; keys: readonly number[] }[] = [];
  for (const candidate of candidates) {
    if (!kinds.has(candidate.kind)) kinds.set(candidate.kind, kinds.size);
    const at = candidate.label.toLowerCase().indexOf(wanted);
    if (at === -1 || seen.has(candidate.value)) continue;
    seen.add(candidate.value);
    const isExactCase = candidate.label.startsWith(typed) ? 0 : 1;
    const used = lastUsed.get(candidate.value) ?? Number.MAX_SAFE_INTEGER;
    fits.push({ candidate, keys: [at === 0 ? 0 : 1, kinds.get(candidate.kind) ?? 0, used, isExactCase] });
  }
  // sort keeps the order of equal ones, which is the specification's
  fits.sort((a, b) => a.keys.reduce((found, key, at) => found || key - (b.keys[at] ?? 0), 0));
  return fits.slice(0, MAX_CHOICES).map(({ candidate }) => candidate);
}

export function toChoice(candidate: Candidate, insert: string): CompletionChoice {
  const { label, kind, detail, description } = candidate;
  return {
    insert,
    label,
    kind,
    ...(detail && { detail }),
    ...(description && { description: description.slice(0, MAX_DESCRIPTION) }),
  };
}
