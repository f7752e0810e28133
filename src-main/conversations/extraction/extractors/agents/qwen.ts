import type { ChatSnapshot, ExtractedMessage, IExtractor } from '../../../../contract/chat/extractor.ts';
import type { FrameRow } from '../../../../contract/screen/frame.ts';
import { cutRow } from '../../markdown/spans.ts';
import { type ProgramWords, startsProgram } from '../commandWords.ts';
import { withoutScrollBar } from './gemini/bars.ts';
import type { OwnLooks } from './gemini/looks.ts';
import { extractGemini } from './gemini.ts';

/** Blank columns before all of its text. */
const MARGIN = 2;
/** Based on written descriptions, not yet on a recording of ours. */
const CONFIDENCE = 0.7;

const PROGRAM: ProgramWords = {
  commands: ['qwen', 'qwen-code'],
  packages: ['@qwen-code/qwen-code'],
  screenless: ['-p', '--prompt', 'mcp', 'extensions', '--version', '-v', '--help', '-h'],
};

/** Since 0.15 inline code has one colour in every theme, and quotes are in italics. */
const LOOKS: OwnLooks = { code: '#add8e6', slantsQuotes: true };

/** qwen-code 0.8 to 0.24: drawn as Gemini CLI, but indented by two more columns and without bars around typed text. */
export const qwen: IExtractor = {
  name: 'qwen',
  label: 'Qwen Code',
  version: 1,
  modelFlag: '--model',
  packages: PROGRAM.packages,
  isProgram: (argv) => startsProgram(argv, PROGRAM),
  mask: withoutScrollBar,
  recognise: ({ rows, title }) => {
    if (rows.some(({ text }) => /(?:>_ |^\s*)Qwen Code \(?v\d|QWEN\.md files to customize/.test(text))) return 1;
    return /^Qwen - /.test(title) ? 0.9 : 0;
  },
  extract: (snapshot) => {
    const told = extractGemini(withoutMargin(snapshot), LOOKS);
    return {
      ...told,
      messages: told.messages.map((message) => ({ ...withOwnWelcome(message), confidence: CONFIDENCE })),
    };
  },
};

/** Its welcome in a box beside a logo; the tips and notices below it vary. */
const BOXED = /│ (\S.*?)\s*│\s*$/;

function withOwnWelcome(message: ExtractedMessage): ExtractedMessage {
  if (message.kind !== 'welcome') return message;
  const lines = message.text.split('\n').flatMap((line) => BOXED.exec(line)?.[1] ?? []);
  return lines.length === 0 ? message : { ...message, text: lines.join('\n') };
}

/** The sign of an answer since 0.24. */
const MODEL = /^◆\uFE0E? /;

/** The row with Gemini CLI's sign. */
function withGlyph(row: FrameRow): FrameRow {
  const rest = cutRow(row, row.text.indexOf(' '));
  return { ...row, text: `✦${rest.text}`, spans: [{ text: '✦' }, ...rest.spans] };
}

function withoutMargin({ rows, cols, ...rest }: ChatSnapshot): ChatSnapshot {
  return { ...rest, rows: rows.map(shifted), cols: cols - MARGIN };
}

function shifted(row: FrameRow): FrameRow {
  const own = row.text.startsWith(' '.repeat(MARGIN)) ? cutRow(row, MARGIN) : row;
  return MODEL.test(own.text) ? withGlyph(own) : own;
}
