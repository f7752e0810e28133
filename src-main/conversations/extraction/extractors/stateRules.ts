import type { AgentState } from '../../../contract/chat/chat.ts';
import type { Extraction } from '../../../contract/chat/extractor.ts';

/** A line that an agent shows in a state. Rules are data, so that a new version needs only a new line in the agent's file. */
export interface StateRule<Place extends string> {
  readonly name: string;
  readonly state: AgentState;
  /** First and last version in which it was seen, null if unknown; rules of all versions are tried. */
  readonly versions: readonly [string | null, string | null];
  /** The part of the screen, or the title, that the rule checks. */
  readonly where: Place;
  readonly match: RegExp;
}

/** The state of the first rule that matches a line of its place: rules are ranked. 'unknown' if no rule matches. */
export function stateByRules<Place extends string>(
  rules: readonly StateRule<Place>[],
  places: Readonly<Record<Place, readonly string[]>>,
): Pick<Extraction, 'state' | 'evidence'> {
  for (const { name, state, where, match } of rules) {
    const line = places[where].find((text) => match.test(text));
    if (line !== undefined) return { state, evidence: { rule: name, line: line.trim() } };
  }
  return { state: 'unknown', evidence: null };
}

/** A rule for a title or a notification. */
export interface TextRule {
  readonly name: string;
  readonly state: AgentState;
  readonly match: RegExp;
}

/** Verdict of the first rule that matches `text`; null if no rule matches. */
export function stateOfText(rules: readonly TextRule[], text: string): { state: AgentState; rule: string } | null {
  const found = rules.find(({ match }) => match.test(text));
  return found ? { state: found.state, rule: found.name } : null;
}

/** The last `count` lines that have text. */
export function lastLines(texts: readonly string[], count: number): string[] {
  return texts.filter((text) => text.trim() !== '').slice(-count);
}
