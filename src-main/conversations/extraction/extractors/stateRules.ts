import type { AgentState } from '../../../contract/chat/chat.ts';
import type { Extraction } from '../../../contract/chat/extractor.ts';

/** What an agent shows in a state: data, so that a new version is a new line in the agent's file. */
export interface StateRule<Place extends string> {
  readonly name: string;
  readonly state: AgentState;
  /** First and last version it was seen in, null where that is not known; rules of all versions are tried. */
  readonly versions: readonly [string | null, string | null];
  /** The part of the screen, or the title, that it looks at. */
  readonly where: Place;
  readonly match: RegExp;
}

/** The state by the first rule that matches a line of its place: rules are ranked. 'unknown' when no rule matches. */
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

/** Verdict of the first rule that matches `text`; null when no rule matches. */
export function stateOfText(rules: readonly TextRule[], text: string): { state: AgentState; rule: string } | null {
  const found = rules.find(({ match }) => match.test(text));
  return found ? { state: found.state, rule: found.name } : null;
}

/** The last `count` lines that have text. */
export function lastLines(texts: readonly string[], count: number): string[] {
  return texts.filter((text) => text.trim() !== '').slice(-count);
}
