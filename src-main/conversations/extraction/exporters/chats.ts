import type { IChatExporter } from './ChatDocument.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { jsonl } from './jsonl.ts';
import { markdown } from './markdown.ts';

/** Every format of a conversation, one line each. */
export const CHAT_EXPORTERS: readonly IChatExporter[] = [markdown, html, json, jsonl];
