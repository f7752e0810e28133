import { untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { type Action, concernsTabs } from '../app/Actions.svelte.ts';
import type { AppState } from '../app/AppState.svelte.ts';
import type { TerminalState } from '../tabs/TerminalState.svelte.ts';
import { isFloatOpen } from '../ui/floating.ts';
import { isCoarse } from '../ui/touch/pointer.ts';
import { type KeysEvent, nextKeysTo, SETTLE_MS } from './keysTo.ts';
import { dropFocus, isIdleFocus, isNowhere } from './takeTyping.ts';

/**
 * Follows a shown terminal and, while it is active, routes the keyboard to it. Call during component initialization. It moves the focus only from the
 * composer, the live terminal or nowhere, never out of a card, a menu or a dialog.
 */
export function routeKeys(app: AppState, active: () => TerminalState | undefined): void {
  // Derived, so that a change of title or folder does not undo the person's choice.
  const terminal = $derived(active());
  const isLive = $derived(terminal !== undefined && (terminal.isRunning || terminal.view.quality.level === 'none'));
  const isFullScreen = $derived(terminal?.view.altScreen ?? false);
  const isComposing = $derived(terminal !== undefined && usesComposer(app, terminal));

  $effect(() => {
    const shown = terminal;
    if (!shown || shown.isSettled === isLive) return;
    const settle = (event: KeysEvent) => {
      shown.isSettled = event === 'settled';
      turn(shown, event);
    };
    if (!isLive) return untrack(() => settle('ended'));
    const timer = setTimeout(() => settle('settled'), SETTLE_MS);
    return () => clearTimeout(timer);
  });
  $effect(() => {
    const shown = terminal;
    if (!isFullScreen || !shown) return;
    shown.isSettled = true; // it may end before it has settled, and its end still counts
    untrack(() => turn(shown, 'screen'));
  });
  $effect(() => {
    if (!terminal || app.terminals.activeId !== terminal.id) return;
    // Also when the composer or the live terminal is created, which can then take the focus.
    void [
      terminal.keysTo,
      terminal.ahead.isOn,
      isComposing,
      app.focus.hasSurface(terminal.id),
      app.focus.hasComposer(terminal.id),
    ];
    const shown = terminal;
    const frame = requestAnimationFrame(() => giveFocus(app, shown));
    return () => cancelAnimationFrame(frame);
  });
}

/** Runs when the person presses the toggle key. */
export function toggleKeys(app: AppState, terminal: TerminalState): void {
  if (terminal.ahead.isOn) {
    terminal.ahead.leave(); // keys that are held for the program count as the program's
    terminal.keysTo = 'composer';
  } else turn(terminal, 'toggle');
  terminal.toggledMs = performance.now();
  giveFocus(app, terminal, true);
}

/** Call after the person chose another view: the focus moves to it from anywhere. */
export function followView(app: AppState, terminal: TerminalState): void {
  requestAnimationFrame(() => giveFocus(app, terminal, !isCoarse()));
}

/** Focuses the composer of the shown tab, or its program. */
export function takeKeysBack(app: AppState): void {
  const page = [app.agents, app.agents.past].find(({ isOpen }) => isOpen);
  if (page) return page.takeKeys();
  const terminal = app.terminals.active;
  if (terminal?.view.state === 'live') giveFocus(app, terminal, true);
}

/** Runs an action. The focus stays in whatever it opens; an action on tabs also moves the focus out of cards and messages. */
export function performAction(app: AppState, action: Action): void {
  if (concernsTabs(action)) {
    dropFocus();
    app.agents.close();
  }
  action.run();
  requestAnimationFrame(() => settleKeys(app));
}

/** Call after a menu, a sheet or an action. The focus stays in whatever opened, or in an element with keys of its own that had it before. */
export function settleKeys(app: AppState): void {
  if (isIdleFocus() && !isFloatOpen() && !isCoarse()) takeKeysBack(app);
}

/** A start that is reported this soon after the toggle key happened before it, unless Return was pressed in between. */
const CHOSEN_MS = 1000;

function turn(terminal: TerminalState, event: KeysEvent): void {
  const isStart = event === 'settled' || event === 'screen';
  const isChosen = terminal.toggledMs > terminal.ahead.returnMs && performance.now() - terminal.toggledMs < CHOSEN_MS;
  if (isStart && isChosen) return;
  terminal.keysTo = nextKeysTo(terminal.keysTo, event, terminal.draft !== '');
}

function giveFocus(app: AppState, terminal: TerminalState, isAsked = false): void {
  if (!isAsked && !isFree(document.activeElement)) return;
  // The keys are already for another tab, which takes the focus from elements that are not edited.
  if (app.terminals.next.isExpected) return isAsked ? dropFocus() : undefined;
  if (isForProgram(app, terminal)) app.focus.toSurface(terminal.id);
  else app.focus.toComposer(terminal.id);
}

/** Whether a key goes to the live terminal, at once or when its receiver is known. */
export function isForProgram(app: AppState, terminal: TerminalState): boolean {
  return terminal.ahead.isOn || terminal.keysTo === 'program' || !usesComposer(app, terminal);
}

/** Whether commands are typed in the composer, not at the shell's own prompt. */
export function usesComposer(app: AppState, { mode }: TerminalState): boolean {
  return mode === 'blocks' && app.settings.current['prompt.mode'] === 'composer';
}

/** On a touch screen the focus opens the on-screen keyboard, so it only moves between text fields. */
function isFree(element: Element | null): boolean {
  return (isNowhere(element) && !isCoarse()) || element?.closest('[data-keys="program"], [data-keys="line"]') !== null;
}

function isOfProgram(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-keys="program"]') !== null;
}

/** A focus that comes this soon after a press of mouse, pen or finger in a live card was caused by it. */
const PRESS_MS = 1000;

/** A click into a live card chooses the program as the receiver of keys. Without a composer there is no choice. */
export function noticeKeysOwner(app: AppState): Attachment<HTMLElement> {
  return (view) => {
    let pressedMs = Number.NEGATIVE_INFINITY;
    const onPress = ({ target, timeStamp }: Event) => {
      pressedMs = isOfProgram(target) ? timeStamp : Number.NEGATIVE_INFINITY;
    };
    const onFocus = ({ target, timeStamp }: FocusEvent) => {
      const { active } = app.terminals;
      if (!active || !isOfProgram(target) || active.ahead.isOn || !usesComposer(app, active)) return;
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
