/** Texts of images that programs print. */
export const images = {
  title: 'Image',
  /** Name of an image for screen readers. */
  name: (width: number, height: number) => `Image, ${width} × ${height} px`,
  open: (width: number, height: number) => `${width} × ${height} px\nClick to open`,
  leftOut: (size: string, limit: string) => `Image left out: ${size} of pixels, the limit is ${limit}`,
  leftOutOfCard: (size: string, limit: string) =>
    `Image left out: ${size} of pixels with those above, the limit of a card is ${limit}`,
  tooLong: (size: string, limit: string) => `Image left out: ${size} of data, the limit is ${limit}`,
  unreadable: 'Image left out: its data is damaged or incomplete',
  notInReplay: 'Image: not shown in a replay',
  save: 'Save as PNG',
  copy: 'Copy image',
  previous: 'Previous image',
  next: 'Next image',
  place: (at: number, of: number) => `${at} of ${of}`,
  copied: 'Image copied',
  notCopied: 'Could not copy the image',
  notSaved: 'Could not save the image',
  notLoaded: 'the image is not loaded yet',
  loading: 'Reading the image…',
  show: 'Show images',
};
