import { escapeJson } from '../../../util/escapeControls.ts';
import { eventsOf, type IChatExporter, messagesOf } from './ChatDocument.ts';

/**
 * One document: `{ format: 'hansard-conversation', version: 1, exportedMs, redactions, conversation, messages, events }`. Times are ms since
 * 1970; `redactions` is null if the text was not searched for secrets; the rest is as in contract/chat.ts. Messages and events are each in
 * the log's order; `order` gives the order of both together. Changes other than added keys get another version number.
 */
export const json: IChatExporter = {
  name: 'json',
  description: 'one JSON document',
  extension: 'json',
  mediaType: 'application/json',
  write(document) {
    const { conversation, exportedMs, redactions } = document;
    const whole = {
      format: 'hansard-conversation',
      version: 1,
      exportedMs,
      redactions,
      conversation,
      messages: messagesOf(document),
      events: eventsOf(document),
    };
    return `${escapeJson(JSON.stringify(whole, null, 2))}\n`;
  },
};
