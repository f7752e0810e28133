import type { Attachment } from 'svelte/attachments';
import type { AppState } from '../app/AppState.svelte.ts';
import { takeKeysBack, usesComposer } from './routeKeys.svelte.ts';

/** A focus that comes this soon after a press of mouse, pen or finger was caused by it. */
const PRESS_MS = 1000;

/** A click into a live card chooses the program as the receiver of keys. Without a composer there is no choice. */
export function noticeKeysOwner(app: AppState): Attachment<HTMLElement> {
  return (view) => {
    let pressedMs = Number.NEGATIVE_INFINITY;
    const onPress = ({ timeStamp }: Event) => {
      pressedMs = timeStamp;
    };
    const onFocus = ({ target, timeStamp }: FocusEvent) => {
      const { active } = app.terminals;
      const isProgram = target instanceof Element && target.closest('[data-keys="program"]') !== null;
      if (!active || !isProgram || active.ahead.isOn || !usesComposer(app, active)) return;
      // A closing sheet returns the focus to a live card whose command has ended meanwhile.
      if (!active.isRunning && active.keysTo === 'composer' && timeStamp - pressedMs > PRESS_MS) {
        requestAnimationFrame(() => takeKeysBack(app));
        return;
      }
      active.keysTo = 'program';
      if (active.isRunning) active.isSettled = true; // the end of the command gives the keys back, however soon it comes
    };
    view.addEventListener('pointerdown', onPress, { capture: true });
    view.addEventListener('focusin', onFocus);
    return () => {
      view.removeEventListener('pointerdown', onPress, { capture: true });
      view.removeEventListener('focusin', onFocus);
    };
  };
}
