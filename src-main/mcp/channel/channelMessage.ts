import { answerOf } from '../protocol/answers.ts';
import { notedAlone } from '../protocol/watchResult.ts';
import type { WatchResult } from '../read/WatchService.ts';
import { CHANNEL_METHOD } from '../setup/clients/claudeChannel.ts';

/** `meta`: attributes of the element that the client puts around the content. Names are letters, digits and underscores; values are text. */
export interface ChannelMessage {
  readonly method: typeof CHANNEL_METHOD;
  readonly params: { readonly content: string; readonly meta: Readonly<Record<string, string>> };
}

/** The result of a watch, redacted and framed like every answer. */
export function channelMessage(noted: WatchResult): ChannelMessage {
  const { content } = answerOf(notedAlone(noted), { nowMs: noted.atMs, effective: {} });
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return {
    method: CHANNEL_METHOD,
    params: {
      // terminal output is in JSON here, where `\/` equals `/`, so it cannot forge the end of the surrounding element
      content: text.replaceAll(/<\/(?=\s*channel)/gi, '<\\/'),
      meta: { watch_id: noted.id, pty_id: noted.terminalId, outcome: noted.outcome },
    },
  };
}
