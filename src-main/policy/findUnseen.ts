import { Unread } from './constructs.ts';

/** Everything except newline and printable ASCII that moves a cursor or is invisible. */
const CONTROL = /[\0-\x09\x0b-\x1f\x7f-\x9f]/;
/**
 * Format, surrogate, private-use and unassigned characters, separators except the space, default-ignorable characters, and the Braille blank. To a
 * shell they are letters, to a person nothing or a space.
 */
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** The first reason why a person would not see the exact text; null if there is none. */
export function findUnseen(text: string): Unread | null {
  const control = text.search(CONTROL);
  if (control >= 0) return new Unread('control_character', control);
  const invisible = text.search(INVISIBLE);
  if (invisible >= 0) return new Unread('invisible_character', invisible);
  return text.normalize('NFC') === text ? null : new Unread('not_nfc', 0);
}
