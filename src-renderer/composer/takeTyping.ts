import type { Stop } from '../rpc/Rpc.ts';
import { isComposing } from '../ui/browser/isComposing.ts';
import { isCoarse } from '../ui/touch/pointer.ts';

/** A floating element keeps the keyboard until it is closed; it may fade out after that. */
const FLOATING = ':is([role="dialog"], [role="alertdialog"], [role="menu"]):not([data-state="closed"])';
/** Elements that insert a character by themselves, after the focus has moved to them. */
const INSERTS = 'input, textarea, select, [contenteditable="true"]';
/** Text fields, lists and terminals. */
const TAKES_KEYS = `${INSERTS}, [data-keys]`;
/** Elements with keys of their own that are not text. */
const HAS_KEYS = '.card, [data-chat]';
const CONTROL = 'button, a, summary, [role="tab"], [role="slider"], [role="option"]';

/**
 * Sends typed characters to the place where commands are typed, wherever the focus was. `takeFocus` moves the focus while the key is still going
 * down, so that the character arrives there; a list, which inserts nothing, gets the key once more. Elements with a use for a key call
 * preventDefault first.
 */
export function takeTyping(target: Window, takeFocus: () => void): Stop {
  const onKeydown = (event: KeyboardEvent) => {
    const from = document.activeElement;
    if (event.defaultPrevented || isComposing(event) || from?.closest(TAKES_KEYS)) return;
    if (!writes(event)) return isNowhere(from) ? handOn(event, takeFocus) : undefined;
    if (event.key === ' ' && from?.matches(`:is(${CONTROL}):focus-visible`)) return; // the key presses the button
    if (isCovered()) return;
    takeFocus();
    if (!isField(document.activeElement)) pressAgain(event);
  };
  target.addEventListener('keydown', onKeydown);
  return () => target.removeEventListener('keydown', onKeydown);
}

/** Keys that edit a line, apart from characters. */
const LINE_KEYS = new Set([
  'Enter',
  'Backspace',
  'Delete',
  'Escape',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
]);

/**
 * The focused element may disappear in the middle of a line, as the live card does when its command ends. Return and the other line keys are then
 * dispatched once more at the new place, like characters. Keys that act on selected text stay with it.
 */
function handOn(event: KeyboardEvent, takeFocus: () => void): void {
  const { key, ctrlKey, altKey, metaKey } = event;
  const isControl = ctrlKey && !altKey && !metaKey && /^[a-z]$/.test(key);
  if (isCovered() || String(getSelection()) !== '' || !(isControl || LINE_KEYS.has(key))) return;
  takeFocus();
  pressAgain(event);
}

/** Presses the key once more where the focus is now. */
function pressAgain(event: KeyboardEvent): void {
  const to = document.activeElement;
  if (!to?.closest(TAKES_KEYS)) return;
  const again = new KeyboardEvent('keydown', event);
  if (!to.dispatchEvent(again)) event.preventDefault();
}

/** A click returns the focus to the place where commands are typed, unless it was in the conversation, on a text field, or selected text. */
export function takeClicks(target: Window, takeFocus: () => void): Stop {
  const onClick = ({ detail, target: clicked }: MouseEvent) => {
    if (detail === 0 || isCoarse()) return; // a button pressed by key, or a finger that scrolls and reads
    requestAnimationFrame(() => {
      const isChat = clicked instanceof Element && clicked.closest('[data-chat]');
      const isHeld = document.activeElement?.closest(`${TAKES_KEYS}, [data-chat]`); // a button outside of the conversation may lead into it
      if (!isChat && !isHeld && !isCovered() && String(getSelection()) === '') takeFocus();
    });
  };
  target.addEventListener('click', onClick);
  return () => target.removeEventListener('click', onClick);
}

/** Whether nothing has the focus. */
export function isNowhere(element: Element | null): boolean {
  return !element || element === document.body;
}

/** Whether the element inserts characters by itself. */
export function isField(element: EventTarget | null): boolean {
  return element instanceof Element && element.matches(INSERTS);
}

/** Whether the focused element has no use for keys. */
export function isIdleFocus(): boolean {
  return !isCovered() && document.activeElement?.closest(`${TAKES_KEYS}, ${HAS_KEYS}`) == null;
}

/** Removes the focus from an element that is not edited, so that it can move to the next view. */
export function dropFocus(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && !activeElement.closest(TAKES_KEYS)) activeElement.blur();
}

/** Whether the person types in a field other than the command editor. Fields of a closing sheet do not count. */
export function isEditedElsewhere(): boolean {
  const field = document.activeElement?.closest('input, textarea, [contenteditable="true"]');
  return field != null && field.closest('[data-keys="line"], [data-keys="program"], [data-state="closed"]') === null;
}

/** Whether a sheet or a menu has the keyboard. */
export function isCovered(): boolean {
  return document.querySelector(FLOATING) !== null;
}

/** AltGr counts as Ctrl and Alt, but writes a character; a dead key starts one. */
function writes(event: KeyboardEvent): boolean {
  const isCharacter = event.key.length === 1 || event.key === 'Dead';
  return isCharacter && (event.getModifierState('AltGraph') || !(event.ctrlKey || event.altKey || event.metaKey));
}
