import type { CompletionChoice, LineCompletion } from '../../src-main/contract/completion.ts';
import type { Edit } from './line/composerKeys.ts';

/** The text to insert. A space follows, except after a folder, `--option=` or `host:`, which continue, and after a whole line from history. */
function finished({ insert, kind }: CompletionChoice): string {
  return kind === 'history' || /[/\\=:]$/.test(insert) ? insert : `${insert} `;
}

/** Replaces the word with a choice, and adds a space after a finished word. */
export function choiceEdit({ from, to }: LineCompletion, choice: CompletionChoice): Edit {
  return { from, to, insert: finished(choice) };
}

/** The longest common start of the choices that continue the typed word; undefined if it adds nothing. */
export function commonStart(text: string, completion: LineCompletion): string | undefined {
  const typed = text.slice(completion.from, completion.to);
  const [first, ...others] = goingOn(typed, completion.choices).filter(({ kind }) => kind !== 'history');
  if (!first) return undefined;
  let { length } = first.insert;
  for (const { insert } of others) {
    let same = 0;
    while (same < length && insert.charAt(same) === first.insert.charAt(same)) same++;
    length = same;
  }
  const common = first.insert.slice(0, length);
  // A trailing backslash is useless without the character that it escapes.
  const whole = /(?:^|[^\\])(?:\\\\)*\\$/.test(common) ? common.slice(0, -1) : common;
  return whole.length > typed.length ? whole : undefined;
}

/** The choices that still match after more of the word was typed; undefined when no choice matches or other text changed. */
export function narrowed(completion: LineCompletion, text: string, caret: number): LineCompletion | undefined {
  const typed = text.slice(completion.from, caret);
  if (caret <= completion.to) return undefined;
  const choices = goingOn(typed, completion.choices);
  return choices.length > 0 ? { from: completion.from, to: caret, choices } : undefined;
}

/** Whether a choice would change the text. */
export function isWorthShowing(text: string, { from, to, choices }: LineCompletion): boolean {
  const [only] = choices;
  return only !== undefined && (choices.length > 1 || only.insert !== text.slice(from, to));
}

/** Choices that continue the typed text. Saved commands do not count, because they match by other words than their text. */
function goingOn(typed: string, choices: readonly CompletionChoice[]): CompletionChoice[] {
  return choices.filter(({ insert, kind }) => kind !== 'saved' && insert.startsWith(typed));
}
