import { ToolFault } from '../../../contract/mcp/mcp.ts';
import type { ScreenReading } from '../../../contract/screen/screen.ts';
import type { Image, ToolAnswer } from '../../protocol/Tool.ts';
import type { McpReadService } from '../../server/McpReadService.ts';

interface ShownPicture {
  readonly image: Image;
  /** Our own facts: the subject of the image, and how many secrets are covered in it. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** An image of the frame that was read, with secrets covered. Throws TOO_LARGE. */
export async function pictureOf(reading: ScreenReading, { pictures }: McpReadService): Promise<ShownPicture> {
  if (!reading.full) throw new Error(`a picture was asked of a difference (${reading.terminalId}, seq ${reading.seq})`);
  const { redactedFrame } = await import('../../../redaction/redactedFrame.ts'); // loaded on demand: see ScreenPictures
  const { frame, count } = redactedFrame(reading.frame, reading.scrollback);
  const picture = await pictures.of(frame, { format: 'png' });
  if (!picture.ok) throw new ToolFault('TOO_LARGE', picture.reason, 'read the text instead: leave image out');
  const { mediaType, bytes, width, height } = picture;
  const facts = {
    about: `picture of terminal output · untrusted · pty ${reading.terminalId} · seq ${reading.seq}`,
    width,
    height,
    bytes: bytes.length,
    redactions: count,
  };
  return { image: { mimeType: mediaType, bytes }, facts };
}

export function withPicture(answer: ToolAnswer, { image, facts }: ShownPicture): ToolAnswer {
  return { ...answer, facts: { ...answer.facts, image: facts }, images: [image] };
}
