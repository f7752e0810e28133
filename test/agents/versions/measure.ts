import type { ChatLine, ChatMessage } from '../../../src-main/contract/chat/chat.ts';
import { versionWords } from '../../../src-main/contract/chat/versionWords.ts';
import { ConversationList } from '../../../src-main/conversations/extraction/conversations.ts';
import { EXTRACTORS } from '../../../src-main/conversations/extraction/extractors/agents/all.ts';
import { linesOfRecording } from '../compare/chatOfRecording.ts';
import { compare, type Score } from '../compare/compare.ts';
import type { Expected } from '../compare/expected.ts';
import type { FoundRecording } from '../compare/findRecordings.ts';
import { type ReadChat, readChat } from '../compare/readChat.ts';
import { isBeginningOf, plainOf } from '../compare/texts.ts';

const COUNTED = [
  ...(['said', 'found', 'textEqual', 'invented', 'duplicated'] as const),
  ...(['tools', 'toolsFound', 'states', 'statesOnTime'] as const),
];
/** Maximum length of a message's name, in characters. */
const NAME_CHARS = 60;

/** Faults of a comparison that no mark can cover: missing messages and ids, and calls, which cannot be doubtful. */
const SILENT = /^(missing (user|model|toolCall|resume id)|(invented|twice) toolCall):/;

/** Comparison of one recording's conversations with the truth. */
export interface Counts extends Pick<Score, (typeof COUNTED)[number]> {
  /** See `Score`; absent if it is `textEqual`. */
  readonly leadEqual?: number;
  /** Wrong messages with a mark: doubtful, or with a gap. */
  readonly marked: number;
  /** Faults without a mark, by name: wrong and missing messages, and invented calls. */
  readonly silent: readonly string[];
}

export interface Figures extends Counts {
  /** Label of the version in the window, such as `Gemini CLI 0.34.0: not checked`. */
  readonly shownAs: string;
}

/** Figures of a recording with the current code. */
export async function measure(recording: FoundRecording): Promise<Figures> {
  const { lines, startMs } = await linesOfRecording(recording);
  return { shownAs: shownAs(lines), ...countsOf(recording.expected, readChat(lines, startMs)) };
}

export function countsOf(expected: Expected, chat: ReadChat): Counts {
  const compared = compare(expected, chat);
  const wrong = wrongOf(expected, chat);
  const unmarked = wrong.filter((message) => !isMarked(message));
  const others = compared.faults.filter((fault) => SILENT.test(fault));
  return {
    ...(Object.fromEntries(COUNTED.map((key) => [key, compared[key]])) as Pick<Score, (typeof COUNTED)[number]>),
    ...(compared.leadEqual !== compared.textEqual && { leadEqual: compared.leadEqual }),
    marked: wrong.length - unmarked.length,
    silent: [...others.map((fault) => cut(fault)), ...unmarked.map(({ kind, text }) => cut(`wrong ${kind}: ${text}`))],
  };
}

/** One line per figure in which `now` is worse than `before`; empty if there is none. */
export function worseIn(now: Figures, before: Figures): string[] {
  const more = (['invented', 'duplicated'] as const).filter((key) => now[key] > before[key]);
  const fewer = (['found', 'textEqual', 'toolsFound', 'statesOnTime'] as const).filter((key) => now[key] < before[key]);
  return [
    ...[...more, ...fewer].map((key) => `${key}: ${before[key]} before, ${now[key]} now`),
    ...(now.silent.length > before.silent.length
      ? now.silent.filter((name) => !before.silent.includes(name)).map((name) => `without a mark: ${name}`)
      : []),
  ];
}

function wrongOf({ conversations }: Expected, chat: ReadChat): ChatMessage[] {
  const said = conversations.flatMap(({ messages }) => messages);
  const left = said.map(({ kind, text }) => `${kind} ${plainOf(text)}`);
  const cutOff = said.filter(({ sentChars }) => sentChars !== undefined).map(({ text }) => text);
  const messages = chat.conversations.flatMap((one) => one.messages);
  return messages.filter(({ kind, text, replayOf }) => {
    if ((kind !== 'user' && kind !== 'model') || replayOf !== undefined) return false;
    const at = left.indexOf(`${kind} ${plainOf(text)}`);
    if (at >= 0) left.splice(at, 1);
    return at < 0 && !cutOff.some((whole) => isBeginningOf(text, whole));
  });
}

const isMarked = ({ doubtful, hasGap }: ChatMessage) => doubtful !== undefined || hasGap === true;

function shownAs(lines: readonly ChatLine[]): string {
  const isChecked = (agent: string, version: string) =>
    EXTRACTORS.some(({ name, checked = [] }) => name === agent && checked.includes(version));
  const list = new ConversationList(
    (agent) => EXTRACTORS.find(({ name }) => name === agent)?.label ?? agent,
    isChecked,
  );
  for (const line of lines) list.apply(line);
  const [conversation] = list.all;
  return conversation ? versionWords(conversation) : 'no conversation';
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > NAME_CHARS ? `${line.slice(0, NAME_CHARS)}…` : line;
}
