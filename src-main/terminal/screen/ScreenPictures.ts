import type { Frame } from '../../contract/screen/frame.ts';
import { MAX_COLS, MAX_ROWS, pictureSize } from '../../picture/geometry.ts';
import { type PainterDeps, PngPainter } from '../../picture/PngPainter.ts';
import { readPictureFiles } from '../../picture/pictureFiles.ts';
import type { PictureTheme } from '../../picture/themes.ts';
import type { IDisposable } from '../../util/Disposables.ts';

/** As much as a file or a message may hold. */
const MAX_PNG_BYTES = 2 * 1024 * 1024;

export type PictureFormat = 'png' | 'svg';

/** A picture of a screen, or the reason why there is none. */
export type Picture =
  | {
      readonly ok: true;
      readonly mediaType: string;
      readonly bytes: Uint8Array;
      readonly width: number;
      readonly height: number;
    }
  | { readonly ok: false; readonly reason: string };

export interface PictureWish {
  readonly format: PictureFormat;
  /** Absent: the theme that the window shows. */
  readonly theme?: PictureTheme | undefined;
}

interface Spec {
  readonly workerUrl: URL;
  /** The theme that the window shows. */
  theme(): PictureTheme;
  readFiles?: PainterDeps['readFiles'];
}

/** Draws screens as pictures in the theme's colours, with the cursor. */
export class ScreenPictures implements IDisposable {
  readonly #painter: PngPainter;
  readonly #theme: () => PictureTheme;

  constructor({ workerUrl, theme, readFiles = readPictureFiles }: Spec) {
    this.#painter = new PngPainter({ workerUrl, readFiles });
    this.#theme = theme;
  }

  /** Rejects only if the renderer fails. */
  async of(frame: Frame, { format, theme = this.#theme() }: PictureWish): Promise<Picture> {
    if (frame.cols > MAX_COLS || frame.rowsCount > MAX_ROWS) return { ok: false, reason: tooManyCells(frame) };
    const { screenSvg } = await import('../../picture/screenSvg.ts'); // imported here, because it loads the table of widths
    const svg = screenSvg(frame, theme);
    const size = pictureSize(frame);
    if (format === 'svg') return { ok: true, mediaType: 'image/svg+xml', bytes: Buffer.from(svg), ...size };
    const bytes = await this.#painter.paint(svg);
    if (bytes.length > MAX_PNG_BYTES)
      return { ok: false, reason: `the picture would have ${bytes.length} bytes; ${MAX_PNG_BYTES} are the most` };
    return { ok: true, mediaType: 'image/png', bytes, ...size };
  }

  dispose(): void {
    this.#painter.dispose();
  }
}

function tooManyCells({ cols, rowsCount }: Frame): string {
  return `a picture has at most ${MAX_COLS} × ${MAX_ROWS} cells, and this screen has ${cols} × ${rowsCount}`;
}
