// Also used by the bridge, which loads neither schemas nor the SDK.
import { CHANNEL } from '../setup/clients/claudeChannel.ts';

/** Appended to the instructions that every client gets: what a model has to know about unsolicited messages. */
export const CHANNEL_INSTRUCTIONS =
  ' What a watch of pty_notify found arrives by itself as <channel source="hansard" watch_id pty_id outcome>: go on with what "message" in it says, which are your own words; what stands in a frame there was printed by programs.';

/** `capabilities` of a server with a channel. */
export function withChannel<T extends object>(capabilities: T): T & { experimental: Record<string, object> } {
  return { ...capabilities, experimental: { [CHANNEL]: {} } };
}
