import type { ImageRef } from '../../src-main/contract/image.ts';
import type { ImageLoader } from './ImageLoader.ts';

/** The images in the window's larger view: those of a card, or one. Closed if there are none. */
class ShownImages {
  images = $state.raw<readonly ImageRef[]>([]);
  at = $state(0);
  loader: ImageLoader | undefined;

  open(loader: ImageLoader, images: readonly ImageRef[], at = 0): void {
    this.loader = loader;
    this.images = images;
    this.at = at;
  }

  close(): void {
    this.images = [];
  }
}

export const shownImages = new ShownImages();
