import { Unread } from './constructs.ts';

/** All that is no newline and no printable ASCII, and either moves a terminal or shows nothing of itself. */
const CONTROL = /[\0-\x09\x0b-\x1f\x7f-\x9f]/;
/**
 * Other, separators but the space, what fonts may leave out (default ignorable), and the Braille blank. A shell sees a letter in them,
 * a person nothing or a space.
 */
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** What keeps the text from being what a person sees of it; null when it is just that. */
export function findUnseen(text: string): Unread | null {
  const control = text.search(CONTROL);
  if (control >= 0) return new Unread('control_character', control);
  const invisible = text.search(INVISIBLE);
  if (invisible >= 0) return new Unread('invisible_character', invisible);
  return text.normalize('NFC') === text ? null : new Unread('not_nfc', 0);
}
