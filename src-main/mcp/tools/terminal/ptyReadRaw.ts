import { createHash } from 'node:crypto';
import { z } from 'zod';
import { capped, PtyId } from '../../protocol/inputs.ts';
import { ASCIICAST, castUri } from '../../protocol/resourceUri.ts';
import { defineTool, READS } from '../../protocol/Tool.ts';
import { checkRange } from '../../read/castOfRange.ts';
import { wholeEnd } from '../blocks/wholeEnd.ts';

const MAX_BYTES = 1024 * 1024;

export const ptyReadRaw = defineTool({
  name: 'pty_read_raw',
  aliases: ['pty.read.raw'],
  title: 'Read raw bytes',
  description:
    'The exact bytes a terminal produced, as base64, from an offset on; offsets never shift. align keeps a page from ending within a character (utf8) or an escape sequence (escape). include_text adds them as text with control characters shown. format asciicast: instead, a link to the recording from from_offset to to_offset, to be played. Needs the scope raw: secrets stand in it. For text use pty_snapshot, blocks_read or pty_stream_since: they cost far less.',
  hints: READS,
  profile: null, // blocks_read with raw_b64 replaces it
  scope: 'raw',
  input: z.strictObject({
    pty_id: PtyId,
    from_offset: z.int().nonnegative().default(0),
    to_offset: z.int().nonnegative().optional().describe('where it ends, raw_size unless told'),
    format: z.enum(['bytes', 'asciicast']).default('bytes'),
    max_bytes: capped(1, MAX_BYTES, 65_536),
    align: z.enum(['none', 'utf8', 'escape']).default('none'),
    include_text: z.boolean().default(false),
  }),
  about: ({ pty_id, from_offset, format }) => ({ terminalId: pty_id, what: `${format} from ${from_offset}` }),
  async run({ pty_id, from_offset, to_offset, format, max_bytes, align, include_text }, { desk }) {
    const wanted = Math.min(max_bytes, (to_offset ?? Number.POSITIVE_INFINITY) - from_offset);
    const isCast = format === 'asciicast';
    const { size, bytes, gap } = await desk.record.raw(pty_id, from_offset, isCast ? 0 : Math.max(0, wanted));
    const range = { from: from_offset, to: to_offset ?? Math.max(size, from_offset) };
    if (isCast || from_offset <= size) checkRange(range, size);
    if (isCast) {
      const uri = castUri(pty_id, range);
      return {
        facts: { ok: true, pty_id, format, offset: range.from, to_offset: range.to, raw_size: size, uri },
        links: [{ uri, name: `${pty_id}-${range.from}-${range.to}.cast`, mimeType: ASCIICAST }],
      };
    }
    const own = bytes.subarray(0, from_offset + bytes.length < size ? wholeEnd(bytes, align) : bytes.length);
    return {
      facts: {
        ok: true,
        pty_id,
        offset: from_offset,
        bytes_returned: own.length,
        resume_offset: Math.min(from_offset + own.length, size),
        raw_size: size,
        first_offset: 0,
        ...(gap && { gap: { from: gap.fromOffset, to: gap.toOffset } }),
        sha256: createHash('sha256').update(own).digest('hex'),
        data_b64: Buffer.from(own).toString('base64'),
      },
      ...(include_text && {
        text: {
          data_utf8_lossy: { text: new TextDecoder().decode(own), about: `pty ${pty_id} · offset ${from_offset}` },
        },
      }),
    };
  },
});
