import { ToolFault } from '../../contract/mcp/mcp.ts';
import { castOfChat } from '../../recordings/castOfChat.ts';
import type { CastSource } from '../../recordings/exportCast.ts';
import type { ResourcePlace } from '../protocol/resourceUri.ts';
import type { ToolCall } from '../protocol/Tool.ts';
import { untrustedText } from '../protocol/untrustedText.ts';
import { castOfRange } from '../read/castOfRange.ts';
import type { chatOf } from '../tools/chats/chatsRead.ts';

/** Longest text of a resource. */
export const MAX_TEXT_CHARS = 4 * 1024 * 1024;

/** The asciicast of a terminal's output, or of a range of it. */
export async function rangeCast(place: Extract<ResourcePlace, { kind: 'cast' }>, { desk }: ToolCall): Promise<string> {
  return castText(await castOfRange(place, desk));
}

/** The asciicast of the output during a conversation. */
export async function conversationCast(whole: Awaited<ReturnType<typeof chatOf>>, { desk }: ToolCall): Promise<string> {
  const terminal = desk.record.terminal(whole.conversation.terminalId);
  desk.record.flush(terminal);
  const cast = await castOfChat(terminal.folder, whole);
  if (!cast) throw new ToolFault('PTY_NOT_FOUND', 'the record of that terminal cannot be read', 'export it as md');
  return castText(cast);
}

/** Raw output with escapes as JSON writes them; redacts secrets that are within one piece. */
async function castText(cast: CastSource): Promise<string> {
  let text = '';
  for await (const piece of cast.text) {
    text += untrustedText(piece).text;
    if (text.length > MAX_TEXT_CHARS)
      throw new ToolFault(
        'TOO_LARGE',
        'the recording is larger than a message may be',
        'take a smaller range; `hansard chat -f cast -o FILE` and `hansard export` write whole ones',
      );
  }
  return text;
}
