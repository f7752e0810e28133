import type { ChatKind } from '../../../../contract/chat/chat.ts';
import type { ChatSnapshot, ExtractedMessage, Extraction, IExtractor } from '../../../../contract/chat/extractor.ts';
import { startsProgram } from '../commandWords.ts';
import { lastLines, stateByRules, stateOfText } from '../stateRules.ts';
import { withBarsUpright, withoutScrollBar } from './gemini/bars.ts';
import { looksOf, type OwnLooks } from './gemini/looks.ts';
import { messagesOf, permissionOf } from './gemini/messages.ts';
import { piecesOf } from './gemini/pieces.ts';
import { type Region, regionOf } from './gemini/region.ts';
import { NOTIFICATION_RULES, PROGRAM, RESUME, STATE_RULES, TITLE_RULES } from './gemini/rules.ts';

/** Last rows that may have exit lines: the goodbye box has some thirty. */
const TAIL_ROWS = 36;
const GROWING: ReadonlySet<ChatKind> = new Set(['model', 'toolCall', 'toolResult']);

/** Gemini CLI's screens, 0.1 to 0.61: inline, with its own scrolling buffer, in the alternate screen. */
export const gemini: IExtractor = {
  name: 'gemini',
  label: 'Gemini CLI',
  provider: 'gcp.gemini',
  version: 1,
  modelFlag: '--model',
  checked: ['0.61.0'],
  packages: PROGRAM.packages,
  isProgram: (argv) => startsProgram(argv, PROGRAM),
  stateOfTitle: (title) => stateOfText(TITLE_RULES, title),
  stateOfNotification: (text) => stateOfText(NOTIFICATION_RULES, text),
  body,
  mask: withoutScrollBar,
  recognise,
  extract: (snapshot) => extractGemini(snapshot),
};

/** The input box and the footer are on every screen, so they cannot show how two screens continue each other. */
function body(screen: ChatSnapshot): { from: number; to: number } {
  return { from: 0, to: regionOf(withBarsUpright(screen)).end };
}

function recognise({ rows, title }: ChatSnapshot): number {
  if (rows.some((row) => /(?:^|\s)Gemini CLI v\d|GEMINI\.md files to customize your interactions/.test(row.text)))
    return 1;
  return /^(?:◇ {2}Ready|✦ {2}Working|✋ {2}Action Required|⏲ {2}Working)/.test(title) ? 0.9 : 0;
}

/** Shared with programs that draw as Gemini CLI does. */
export function extractGemini(shown: ChatSnapshot, own?: OwnLooks): Extraction {
  const snapshot = withBarsUpright(shown);
  const region = regionOf(snapshot);
  const { state, evidence } = stateOf(snapshot, region);
  // It always shows one of them. Without any, the screen is being redrawn and is only half complete.
  if (region.below === 'nothing' && state !== 'exited') return { messages: [], state, evidence, isCovered: true };
  const looks = looksOf(snapshot.rows, own);
  const pieces = piecesOf(snapshot.rows, region.end);
  const growing = state === 'working' ? pieces.findLast(({ kind }) => kind !== 'none') : undefined;
  const messages = pieces.flatMap((piece) => messagesOf(snapshot, piece, { looks, isGrowing: piece === growing }));
  const last = messages.at(-1);
  if (last && state === 'working' && GROWING.has(last.kind)) messages[messages.length - 1] = { ...last, isOpen: true };
  if (region.below === 'dialog' && state === 'needs_approval') messages.push(permissionOf(snapshot, region.end));
  const resumeId = state === 'exited' ? resumeIdOf(snapshot, messages) : undefined;
  return {
    messages,
    state,
    evidence,
    isCovered: region.below === 'dialog' || region.isMenuOpen,
    ...(region.draft === undefined ? {} : { draft: region.draft, isShell: region.isShell === true }),
    ...(resumeId === undefined ? {} : { resumeId }),
  };
}

/** The screen may show only the end of the goodbye box. */
function resumeIdOf({ rows }: ChatSnapshot, messages: readonly ExtractedMessage[]): string | undefined {
  const exit = messages.findLast(({ kind }) => kind === 'exit');
  const tail = rows.slice(-TAIL_ROWS).map(({ text }) => text);
  return RESUME.exec([...tail, exit?.text ?? ''].reverse().find((text) => RESUME.test(text)) ?? '')?.[1];
}

function stateOf({ rows, title }: ChatSnapshot, region: Region): Pick<Extraction, 'state' | 'evidence'> {
  const texts = rows.map((row) => row.text);
  const { end, below, statusRow } = region;
  const at = (is: boolean, from: number) => (is ? texts.slice(from) : []);
  return stateByRules(STATE_RULES, {
    dialog: at(below === 'dialog', end),
    status: statusRow === null ? [] : [texts[statusRow] ?? ''],
    input: at(below === 'input', end),
    title: [title],
    end: below === 'nothing' ? lastLines(texts, TAIL_ROWS) : [],
  });
}
