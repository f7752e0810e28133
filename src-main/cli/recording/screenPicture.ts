import type { ScreenReading } from '../../contract/screen/screen.ts';
import { findAppFiles } from '../../hosts/appFiles.ts';
import { redactedFrame } from '../../redaction/redactedFrame.ts';
import { type PictureFormat, ScreenPictures } from '../../terminal/screen/ScreenPictures.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';
import { count } from '../print/formatFigures.ts';
import { print, remark } from '../print/output.ts';
import { writePrivately } from './writeCast.ts';

export interface PictureOptions {
  readonly theme: 'dark' | 'light';
  readonly redact?: boolean;
}

/** Writes a screen as a picture into a file; `-` is stdout. Throws a CliError if it is too large. */
export async function writePicture(
  reading: ScreenReading,
  { format, file }: { format: PictureFormat; file: string },
  { theme, redact }: PictureOptions,
): Promise<void> {
  if (!reading.full) throw new CliError('a picture is of a whole screen: leave --since out', EXIT.usage);
  if (reading.source === 'persisted') remark('of this screen the text was recorded and not the colours');
  const { frame, count: covered } = redact ? redactedFrame(reading.frame) : { frame: reading.frame, count: 0 };
  if (covered > 0) remark(`${count(covered, 'secret')} covered`);
  const pictures = new ScreenPictures({ workerUrl: findAppFiles().pictureWorker, theme: () => theme });
  try {
    const picture = await pictures.of(frame, { format });
    if (!picture.ok) throw new CliError(picture.reason, EXIT.unavailable);
    if (file === '-') await print(picture.bytes);
    else await writePrivately(file, once(picture.bytes));
  } finally {
    pictures.dispose();
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
