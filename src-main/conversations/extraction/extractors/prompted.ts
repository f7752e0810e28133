import type { ExtractedMessage } from '../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../contract/screen/frame.ts';

const RULE = /^[\s╭╰┌└]*[─━═▀▄]{4,}.*$|^\s*[│┃].*[│┃]\s*$/;

/** How to read a program that prints its prompt, the typed text and the answer line by line. */
export interface PromptLook {
  /** The sign and the space after it, from the start of a row. */
  readonly sign: RegExp;
  readonly confidence: number;
  /** Nothing else looks like the sign, so it counts in any row. */
  readonly isUnmistakable?: boolean;
  /** Rows that end an answer and are not part of it. */
  readonly isAside?: (text: string) => boolean;
}

/** A prompt with its typed text, from row `from` to before row `to`. `text` is empty if nothing was typed. */
export interface Prompt {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Finds the prompts: rows with the sign, at the start or after an empty row, a rule or an aside, and an empty one at the very end. Further
 * rows with the sign directly below continue a prompt.
 */
export function promptsOf(rows: readonly FrameRow[], look: PromptLook): Prompt[] {
  const prompts: Prompt[] = [];
  const end = rows.findLastIndex(({ text }) => text.trim() !== '');
  rows.forEach(({ text }, at) => {
    const found = look.sign.exec(text);
    if (!found) return;
    const line = text.slice(found[0].length).trimEnd();
    const last = prompts.at(-1);
    const isMore = last?.to === at && last.text !== '' && look.isUnmistakable !== true;
    if (isMore) prompts[prompts.length - 1] = { ...last, to: at + 1, text: `${last.text}\n${line}` };
    else if (startsHere(rows[at - 1]?.text ?? '', look) || (at === end && line === '')) {
      prompts.push({ from: at, to: at + 1, text: line.trim() });
    }
  });
  return prompts.map((prompt) => ({ ...prompt, text: prompt.text.trim() }));
}

function startsHere(above: string, { isUnmistakable, isAside }: PromptLook): boolean {
  return isUnmistakable === true || above.trim() === '' || RULE.test(above) || isAside?.(above) === true;
}

/**
 * Returns the typed prompts and their answers. A prompt that nothing follows is the text in the input, and not a message.
 * Does not separate the parts of an answer (words, tools and their results).
 */
export function promptedMessages(rows: readonly FrameRow[], look: PromptLook): ExtractedMessage[] {
  const prompts = promptsOf(rows, look);
  return prompts.flatMap((prompt, at) => {
    const end = prompts[at + 1]?.from ?? rows.length;
    const answer = answerOf(rows, prompt.to, end, look);
    if (prompt.text === '' || answer === null) return [];
    const place = { isHeadCut: false, isOpen: false, confidence: look.confidence };
    const kind = /^\/[a-z][\w-]*( |$)/.test(prompt.text) ? 'command' : 'user';
    return [
      { kind, text: prompt.text, fromRow: prompt.from, toRow: prompt.to, ...place },
      { ...answer, ...place },
    ];
  });
}

/** Rows of an answer, unchanged, without rules and boxes after it; null if there is no answer. */
function answerOf(rows: readonly FrameRow[], from: number, end: number, { isAside = () => false }: PromptLook) {
  const isText = (at: number) => {
    const text = rows[at]?.text ?? '';
    return text.trim() !== '' && !RULE.test(text) && !isAside(text);
  };
  let first = from;
  while (first < end && (rows[first]?.text ?? '').trim() === '') first += 1;
  // A rule or box directly below the typed text is the edge of an input box.
  if (first >= end || !isText(first)) return null;
  let to = end;
  while (to > first && !isText(to - 1)) to -= 1;
  const lines = rows.slice(first, to).filter(({ text }) => !isAside(text));
  const text = lines.map((row) => row.text.trimEnd()).join('\n');
  return { kind: 'model' as const, text, fromRow: first, toRow: to };
}
