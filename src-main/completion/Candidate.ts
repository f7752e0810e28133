import type { ChoiceKind, CompletionChoice } from '../contract/completion.ts';

/** A possible choice before it is quoted. */
export interface Candidate {
  /** The word as the shell would read it. */
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
 * Returns the candidates that match `typed`, ignoring case. Those that start with it come before those that contain it. Within both groups, kinds
 * keep their order in `candidates`, and the most recently used come first within a kind.
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
  // The sort is stable, so equal candidates keep the specification's order.
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
