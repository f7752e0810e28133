import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ToolFault } from '../../contract/mcp.ts';
import { capped, PtyId } from '../inputs.ts';
import { defineTool, READS } from '../Tool.ts';
import { wholeEnd } from './wholeEnd.ts';

const MAX_BYTES = 1024 * 1024;

export const ptyReadRaw = defineTool({
  name: 'pty_read_raw',
  aliases: ['pty.read.raw'],
  title: 'Read raw bytes',
  description:
    'The exact bytes a terminal produced, as base64, from an offset on; offsets never shift. align keeps a page from ending within a character (utf8) or an escape sequence (escape). include_text adds them as text with control characters shown. For text use pty_snapshot, blocks_read or pty_stream_since instead: they cost far less.',
  hints: READS,
  profile: 'full',
  scope: 'observe',
  input: z.strictObject({
    pty_id: PtyId,
    from_offset: z.int().nonnegative().default(0),
    max_bytes: capped(1, MAX_BYTES, 65_536),
    align: z.enum(['none', 'utf8', 'escape']).default('none'),
    include_text: z.boolean().default(false),
  }),
  async run({ pty_id, from_offset, max_bytes, align, include_text }, { desk }) {
    const { size, bytes, gap } = await desk.record.raw(pty_id, from_offset, max_bytes);
    if (from_offset > size)
      throw new ToolFault(
        'BAD_INPUT',
        `from_offset ${from_offset} is behind the end, ${size}`,
        'read on from raw_size',
        {
          details: { raw_size: size },
        },
      );
    const own = bytes.subarray(0, from_offset + bytes.length < size ? wholeEnd(bytes, align) : bytes.length);
    return {
      facts: {
        ok: true,
        pty_id,
        offset: from_offset,
        bytes_returned: own.length,
        resume_offset: from_offset + own.length,
        raw_size: size,
        first_offset: 0,
        ...(gap && { gap }),
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
