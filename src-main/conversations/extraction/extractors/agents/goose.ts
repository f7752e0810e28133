import type { ChatSnapshot, ExtractedMessage, Extraction, IExtractor } from '../../../../contract/chat/extractor.ts';
import { startsProgram } from '../commandWords.ts';
import { type PromptLook, promptedMessages } from '../prompted.ts';
import { lastLines, type StateRule, stateByRules } from '../stateRules.ts';

/** `goose` alone is also a tool for databases, which has other words. */
const WORDS = {
  commands: ['goose'],
  packages: [],
  screenless: [
    '-dir',
    'up',
    'down',
    'status',
    'redo',
    'create',
    'fix',
    'validate',
    'run',
    'mcp',
    'acp',
    'web',
    '--version',
    '--help',
  ],
};
/** Results of tools cannot be separated from words, so an answer is all text between two prompts. */
const LOOK: PromptLook = { sign: /^\( O\)> ?/, confidence: 0.4, isUnmistakable: true };
const WELCOME = /^(?:starting|resuming) session \| provider: /;
const READY = /^Goose is running!/;
const STATE_RULES: readonly StateRule<'last'>[] = [
  { name: 'prompt', state: 'idle', versions: ['1.0.0', null], where: 'last', match: /^\( O\)>/ },
  { name: 'welcome', state: 'starting', versions: ['1.0.0', null], where: 'last', match: READY },
];

/** Goose's screens as they were in 2025. */
export const goose: IExtractor = {
  name: 'goose',
  start: 'goose session',
  label: 'Goose',
  version: 1,
  isProgram: (argv) => startsProgram(argv, WORDS),
  recognise: ({ rows }) => {
    if (rows.some(({ text }) => READY.test(text) || WELCOME.test(text))) return 1;
    return rows.some(({ text }) => LOOK.sign.test(text)) ? 0.9 : 0;
  },
  extract,
};

function extract({ rows }: ChatSnapshot): Extraction {
  const texts = rows.map(({ text }) => text);
  const state = stateByRules(STATE_RULES, { last: lastLines(texts, 1) });
  return { messages: [...welcome(texts), ...promptedMessages(rows, LOOK)], ...state, isCovered: false };
}

function welcome(texts: readonly string[]): ExtractedMessage[] {
  const from = texts.findIndex((text) => WELCOME.test(text));
  const ready = texts.findIndex((text) => READY.test(text));
  if (from < 0 || ready < from) return [];
  const lines = texts.slice(from, ready + 1).filter((text) => text.trim() !== '');
  const place = { fromRow: from, toRow: ready + 1, isHeadCut: false, isOpen: false, confidence: 1 };
  return [{ kind: 'welcome', text: lines.map((text) => text.trimEnd()).join('\n'), ...place }];
}
