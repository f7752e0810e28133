import type { Stop } from '../rpc/Rpc.ts';

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
    if (event.defaultPrevented || event.isComposing || !writes(event) || from?.closest(TAKES_KEYS)) return;
    if (event.key === ' ' && from?.matches(`:is(${CONTROL}):focus-visible`)) return; // it presses the button
    if (!isCovered()) takeFocus();
  };
  target.addEventListener('keydown', onKeydown);
  return () => target.removeEventListener('keydown', onKeydown);
}

/** A click leaves the keyboard where commands are written, unless it was in the conversation, for something that takes text, or selected some. */
export function takeClicks(target: Window, takeFocus: () => void): Stop {
  const onClick = ({ detail, target: clicked }: MouseEvent) => {
    if (detail === 0) return; // a button that was pressed by key
    requestAnimationFrame(() => {
      const isChat = clicked instanceof Element && clicked.closest('[data-chat]');
      const isHeld = document.activeElement?.closest(`${TAKES_KEYS}, [data-chat]`); // a button outside leads into the conversation
      if (!isChat && !isHeld && !isCovered() && String(getSelection()) === '') takeFocus();
    });
  };
  target.addEventListener('click', onClick);
  return () => target.removeEventListener('click', onClick);
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
