import { answerOf } from '../protocol/answers.ts';
import { notedAlone } from '../protocol/watchResult.ts';
import type { WatchResult } from '../read/WatchService.ts';
import { CHANNEL_METHOD } from '../setup/clients/claudeChannel.ts';

/** `meta` are attributes of the element that the client puts around the content: names are letters, digits and underscores, values text. */
export interface ChannelMessage {
  readonly method: typeof CHANNEL_METHOD;
  readonly params: { readonly content: string; readonly meta: Readonly<Record<string, string>> };
}

/** What a watch found, redacted and framed as every answer. */
export function channelMessage(noted: WatchResult): ChannelMessage {
  const { content } = answerOf(notedAlone(noted), { nowMs: noted.atMs, effective: {} });
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return {
    method: CHANNEL_METHOD,
    params: {
      // what a terminal printed stands there as JSON, in which `\/` is `/`: the element's end cannot be forged, whoever writes it around
      content: text.replaceAll(/<\/(?=\s*channel)/gi, '<\\/'),
      meta: { watch_id: noted.id, pty_id: noted.terminalId, outcome: noted.outcome },
    },
  };
}
