import type { ChatKind } from '../../../../../contract/chat/chat.ts';
import type { ChatSnapshot, ExtractedMessage } from '../../../../../contract/chat/extractor.ts';
import { EXIT, THOUGHT, WELCOME } from './rules.ts';

const SPEAKERS: readonly { match: RegExp; kind: ChatKind }[] = [
  { match: /^you: (?=\/[a-z])/, kind: 'command' },
  { match: /^you: /, kind: 'user' },
  { match: /^claude: /, kind: 'model' },
  { match: /^tool: /, kind: 'toolCall' },
  { match: /^Permission Required: /, kind: 'permission' },
];
/** Ends a message and is not a message. */
const ASIDE =
  /^(Worked for|Waiting…|Esc to cancel|Select with numbers|\? for shortcuts|Tip:|\S+ing…( |$)|\S.* mode on\b|effort: |\$\s*$)/;
/** The program marks speakers by name, but not where a message ends. */
const CONFIDENCE = 0.7;

/** Whether the mode is `--ax-screen-reader`: speakers by name, no glyphs. */
export function isScreenReader({ rows }: ChatSnapshot): boolean {
  return rows.some(({ text }) => /^(you|claude|tool): \S/.test(text)) && !rows.some(({ text }) => /^[●⏺❯] /.test(text));
}

/** The conversation as the screen reader mode prints it. Wrapped lines of a message stay lines, because the width is unknown. */
export function readerMessages({ rows }: ChatSnapshot): ExtractedMessage[] {
  const messages: ExtractedMessage[] = [];
  let isOpen = false;
  rows.forEach(({ text }, at) => {
    const speaker = SPEAKERS.find(({ match }) => match.test(text));
    const last = messages.at(-1);
    if (speaker) messages.push(started(speaker.kind, text.replace(speaker.match, '').trimEnd(), at));
    if (speaker) isOpen = true;
    else if (text.trim() === '' || ASIDE.test(text) || THOUGHT.test(text) || WELCOME.test(text) || EXIT.test(text)) {
      isOpen = false;
    } else if (isOpen && last) {
      messages[messages.length - 1] = { ...last, text: `${last.text}\n${text.trimEnd()}`, toRow: at + 1 };
    }
  });
  return messages;
}

function started(kind: ChatKind, text: string, at: number): ExtractedMessage {
  const call = kind === 'toolCall' ? /^(\S+) \((.*)\)$/.exec(text) : null;
  const tool = call?.[1] ? { tool: { name: call[1], input: call[2] ?? '' } } : {};
  return { kind, text, ...tool, fromRow: at, toRow: at + 1, isHeadCut: false, isOpen: false, confidence: CONFIDENCE };
}
