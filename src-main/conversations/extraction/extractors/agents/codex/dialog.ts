import type { ChatSnapshot, ExtractedMessage } from '../../../../../contract/chat/extractor.ts';
import { DIALOG_HINT } from './rules.ts';

const DIALOG_CONFIDENCE = 0.9;

/** The dialog in the rows from `from`, as text: its question, subject and options. */
export function permissionOf({ rows }: ChatSnapshot, from: number): ExtractedMessage {
  const lines = rows
    .slice(from)
    .map((row) => row.text.trimEnd())
    .filter((text) => text !== '' && !DIALOG_HINT.test(text))
    .map((text) => text.replace(/^[›> ] ?/, '').trim());
  const command = lines.find((line) => line.startsWith('$ '))?.slice(2);
  const tool = command === undefined ? {} : { tool: { name: 'Run', input: command } };
  return {
    kind: 'permission',
    text: lines.join('\n'),
    ...tool,
    fromRow: from,
    toRow: rows.length,
    isHeadCut: false,
    isOpen: true,
    confidence: DIALOG_CONFIDENCE,
  };
}
