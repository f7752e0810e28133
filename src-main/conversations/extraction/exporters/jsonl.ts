import { escapeJson } from '../../../util/escapeControls.ts';
import type { IChatExporter } from './ChatDocument.ts';

/** Messages and events as in chat.jsonl, one per line: messages have a `kind`, events a `type`. */
export const jsonl: IChatExporter = {
  name: 'jsonl',
  description: 'messages and events, one JSON object a line',
  extension: 'jsonl',
  mediaType: 'application/jsonl',
  write: ({ lines }) => lines.map((line) => `${escapeJson(JSON.stringify(line))}\n`).join(''),
};
