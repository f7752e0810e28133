import type { Stop } from '../rpc/Rpc.ts';
import { isCoarse } from '../ui/touch/pointer.ts';

/** What floats above the window keeps the keyboard until it is closed; it may fade out after that. */
const FLOATING = ':is([role="dialog"], [role="alertdialog"], [role="menu"]):not([data-state="closed"])';
/** What is edited, chosen from, or is a terminal itself. */
const TAKES_KEYS = 'input, textarea, select, [contenteditable="true"], [data-keys]';
/** What has keys of its own that are not text. */
const HAS_KEYS = '.card, [data-chat]';
const CONTROL = 'button, a, summary, [role="tab"], [role="slider"], [role="option"]';

/**
 * Typed characters go to where commands are written, wherever the focus was. `takeFocus` moves it there while the key is still going down,
 * so that the character itself arrives there too. Everything that has a use for a key of its own prevents its default before.
 */
export function takeTyping(target: Window, takeFocus: () => void): Stop {
  const onKeydown = (event: KeyboardEvent) => {
    const from = document.activeElement;
    if (event.defaultPrevented || event.isComposing || from?.closest(TAKES_KEYS)) return;
    if (!writes(event)) return isNowhere(from) ? handOn(event, takeFocus) : undefined;
    if (event.key === ' ' && from?.matches(`:is(${CONTROL}):focus-visible`)) return; // it presses the button
    if (!isCovered()) takeFocus();
  };
  target.addEventListener('keydown', onKeydown);
  return () => target.removeEventListener('keydown', onKeydown);
}

/** Keys of a line besides its characters. */
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
 * What had the focus may go in the middle of a line, as the live card does when its command ends. Return and the other keys of the line then go
 * on as the characters do: they are pressed again where they belong, and once only. Keys that act on selected text stay with it.
 */
function handOn(event: KeyboardEvent, takeFocus: () => void): void {
  const { key, ctrlKey, altKey, metaKey } = event;
  const isControl = ctrlKey && !altKey && !metaKey && /^[a-z]$/.test(key);
  if (isCovered() || String(getSelection()) !== '' || !(isControl || LINE_KEYS.has(key))) return;
  takeFocus();
  const to = document.activeElement;
  if (!to?.closest(TAKES_KEYS)) return;
  const again = new KeyboardEvent('keydown', event);
  if (!to.dispatchEvent(again)) event.preventDefault();
}

/** A click leaves the keyboard where commands are written, unless it was in the conversation, for something that takes text, or selected some. */
export function takeClicks(target: Window, takeFocus: () => void): Stop {
  const onClick = ({ detail, target: clicked }: MouseEvent) => {
    if (detail === 0 || isCoarse()) return; // a button that was pressed by key, or a finger that scrolls and reads
    requestAnimationFrame(() => {
      const isChat = clicked instanceof Element && clicked.closest('[data-chat]');
      const isHeld = document.activeElement?.closest(`${TAKES_KEYS}, [data-chat]`); // a button outside leads into the conversation
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

/** Whether the focus is on nothing that the person could want to use by key. */
export function isIdleFocus(): boolean {
  return !isCovered() && document.activeElement?.closest(`${TAKES_KEYS}, ${HAS_KEYS}`) == null;
}

/** Takes the focus from whatever is not edited now, so that it can follow what comes next. */
export function dropFocus(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && !activeElement.closest(TAKES_KEYS)) activeElement.blur();
}

/** Whether a field other than the command editor is being written in; one of a sheet that closes is not. */
export function isEditedElsewhere(): boolean {
  const field = document.activeElement?.closest('input, textarea, [contenteditable="true"]');
  return field != null && field.closest('[data-keys="line"], [data-keys="program"], [data-state="closed"]') === null;
}

/** Whether a sheet or a menu has the keyboard. */
export function isCovered(): boolean {
  return document.querySelector(FLOATING) !== null;
}

/** AltGr is Ctrl and Alt where it writes a character; a dead key begins one. */
function writes(event: KeyboardEvent): boolean {
  const isCharacter = event.key.length === 1 || event.key === 'Dead';
  return isCharacter && (event.getModifierState('AltGraph') || !(event.ctrlKey || event.altKey || event.metaKey));
}
