import { z } from 'zod';
import type { ScreenPicture } from '../../contract/screen/screen.ts';
import { Offset, Text } from './remoteValues.ts';

/** Files that a window saves where the person wants them. */

/** As cores name them: words and one of the formats, so that a machine cannot have a program or a hidden file saved here. */
const FileName = z.string().regex(/^[\p{L}\p{N}\p{M}_-]{1,200}\.(?:txt|md|ansi|html|jsonl?)$/u);
/** A message is no longer than this. */
const Content = z.string().max(64 * 1024 * 1024);

/** The name and the text of an export, of a card or a conversation. */
export const RemoteExport = z.object({
  ...{ fileName: FileName, text: Content, truncated: z.boolean().exactOptional(), redacted: Offset.exactOptional() },
});

/** The screen as an image file. */
export const RemotePicture = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), mediaType: z.enum(['image/png', 'image/svg+xml']), base64: Content }),
  z.object({ ok: z.literal(false), reason: Text }),
]) satisfies z.ZodType<ScreenPicture, unknown>;
