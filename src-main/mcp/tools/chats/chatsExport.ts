import { z } from 'zod';
import { aboutRef, capped } from '../../protocol/inputs.ts';
import { ASCIICAST } from '../../protocol/resourceUri.ts';
import { defineTool, READS } from '../../protocol/Tool.ts';
import { ChatRef, chatOf } from './chatsRead.ts';

export const chatsExport = defineTool({
  name: 'chats_export',
  aliases: ['chats.export'],
  title: 'Export a conversation',
  description:
    'A whole conversation as a document: md, jsonl, json or html, with secrets taken out, or asciicast, the recording of its terminal to be played (needs the scope raw). Comes back as a link to a resource to be read when it is needed, with its size; inline when it is short.',
  hints: READS,
  profile: null, // the resource term://chat/{id} replaces it
  scope: 'observe',
  scopeFor: ({ format }) => (format === 'asciicast' ? 'raw' : 'observe'),
  input: z.strictObject({
    chat_id: ChatRef,
    format: z.enum(['md', 'jsonl', 'html', 'json', 'asciicast']).default('md'),
    inline_chars: capped(0, 100_000, 4_000),
  }),
  about: ({ chat_id, format }) => aboutRef(chat_id, `as ${format}`),
  async run({ chat_id, format, inline_chars }, call) {
    const { conversation } = await chatOf(chat_id, call);
    const { id, terminalId } = conversation;
    if (format === 'asciicast') {
      const uri = `term://chat/${chat_id}/cast`;
      return { facts: { chat_id, format, uri }, links: [{ uri, name: `${id}.cast`, mimeType: ASCIICAST }] };
    }
    const file = await call.desk.chats.exportAs({ terminalId, conversationId: id, format, redact: true });
    const text = file?.text ?? '';
    const uri = format === 'md' ? `term://chat/${chat_id}` : `term://chat/${chat_id}/${format}`;
    const mimeType = file?.mediaType ?? 'text/plain';
    return {
      facts: { chat_id, format, chars: text.length, uri },
      links: [{ uri, name: file?.fileName ?? chat_id, mimeType }],
      ...(text.length <= inline_chars && { text: { document: { text, about: `conversation ${id}` } } }),
    };
  },
});
