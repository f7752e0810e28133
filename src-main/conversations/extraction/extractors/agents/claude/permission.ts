import type { ChatSnapshot, ExtractedMessage } from '../../../../../contract/chat/extractor.ts';

const HINT = /^\s*(Esc to|Enter to|Tip:)/;
const FRAME = /^[╌─\s]+$/;
const DIALOG_CONFIDENCE = 0.9;

/** The dialog below the rule in row `rule`, as text: its title, subject, question and options. */
export function permissionOf({ rows }: ChatSnapshot, rule: number): ExtractedMessage {
  const texts = rows.slice(rule + 1).map((row) => row.text.trimEnd());
  const lines = texts
    .filter((text) => text !== '' && !HINT.test(text) && !FRAME.test(text))
    .map((text) => text.replace(/^ (❯ | {2})?(?=\S)/, ''));
  return {
    kind: 'permission',
    text: lines.join('\n'),
    fromRow: rule,
    toRow: rows.length,
    isHeadCut: false,
    isOpen: true,
    confidence: DIALOG_CONFIDENCE,
  };
}
