import { untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { coreNowMs } from '../../app/clock.svelte.ts';
import { usesComposer } from '../../composer/routeKeys.svelte.ts';
import { rowsRoomPx, SIDES_PX } from '../../terminal/paneMargins.ts';
import { readPalette, watchPalette } from '../../terminal/readPalette.ts';
import { registerBlockActions } from '../card/blockActions.ts';
import type { BlockPane } from './BlockPane.svelte.ts';
import { copyOnSelect } from './copyOnSelect.ts';
import { registerPaneActions } from './paneActions.ts';

const TICK_MS = 1000;
/** The stream says where a block begins, in another message than the one that it began. A place is made up only if it never does. */
const ADOPT_AFTER_MS = 500;
/** Duration of the animation in TabPane.svelte. */
const RING_MS = 260;

/**
 * Connects a pane with everything outside of Svelte while it is shown: the core's changes, its actions, its size, the theme, the clock, and the
 * modifier key for links.
 */
export function attachPane(pane: BlockPane): Attachment<HTMLElement> {
  return (element) => {
    const { app, live, list, terminal } = pane;
    const paint = () => repaint(pane);
    const stops = untrack(() => [
      list.start(),
      app.focus.registerSurface(terminal.id, {
        focus: () => pane.focusLive(),
        hasFocus: () => pane.live.hasFocus,
        type: (text) => live.xterm.input(text),
        standsInLine: (text) => pane.live.standsInLine(text),
        follow: () => {
          pane.foundLine = null;
          pane.flow.toEnd();
        },
        showCard: (blockId) => showCard(pane, blockId),
        showLine: (blockId, n) => void showLine(pane, blockId, n),
      }),
      watchPalette(paint),
      copyOnSelect(pane, element),
      takePastes(pane, element),
      showLinks(element),
      takeSizeWithFocus(pane),
    ]);
    $effect(() => actWhileFocused(pane));
    $effect(() => live.setLook(pane.palette, pane.place.by === 'pane'));
    $effect(() => live.setStyle(pane.look));
    $effect(paint);
    $effect(() => fitTo(pane, element));
    $effect(() => {
      const running = list.running;
      if (!running || !live.isShown) return;
      pane.nowMs = coreNowMs();
      const late = setTimeout(() => live.adopt(running.id), ADOPT_AFTER_MS);
      const ticks = setInterval(() => {
        pane.nowMs = coreNowMs();
      }, TICK_MS);
      return () => {
        clearTimeout(late);
        clearInterval(ticks);
      };
    });
    $effect(() => {
      if (live.bells === 0) return;
      pane.isRinging = true;
      const timer = setTimeout(() => {
        pane.isRinging = false;
      }, RING_MS);
      return () => clearTimeout(timer);
    });
    $effect(() => {
      if (app.link.epoch > 1) void list.reload(); // no events arrived while the connection was lost
    });
    return () => {
      for (const stop of stops) stop();
      pane.dispose();
    };
  };
}

/** Keys and the palette act on the focused pane. */
function actWhileFocused(pane: BlockPane): (() => void) | undefined {
  if (pane.app.terminals.activeId !== pane.terminal.id) return undefined;
  const stops = untrack(() => [registerBlockActions(pane), registerPaneActions(pane)]);
  return () => {
    for (const stop of stops) stop();
  };
}

/** Reads the theme's colours again, with the minimum contrast of the settings. */
function repaint(pane: BlockPane): void {
  pane.palette = { ...readPalette(), minContrast: pane.look.minimumContrast };
}

/** If the live terminal is in a card, the agent is there; a plain terminal has no cards to show. */
function showCard(pane: BlockPane, blockId: string): void {
  if (pane.place.by === 'pane') pane.live.focus();
  else void pane.focusCard(blockId);
}

/** Focuses the card first, then scrolls to the line, which may be behind "show all". */
async function showLine(pane: BlockPane, blockId: string, n: number): Promise<void> {
  if (pane.place.by === 'pane') return pane.live.focus();
  await pane.focusCard(blockId);
  await pane.showLine({ blockId, n, start: 0, end: 0 });
}

/** Follows the size of the view and of the font. The height of the composer and of client questions does not count. */
function fitTo(pane: BlockPane, element: HTMLElement): () => void {
  const { app, live, terminal } = pane;
  void [live.cell, live.hasFont];
  const textScale = app.settings.current['window.textScale'];
  const room = { hasCard: terminal.mode === 'blocks', hasComposer: usesComposer(app, terminal), textScale };
  const view = element.closest<HTMLElement>('[data-pane-of]') ?? element;
  const fit = () => {
    const headPx = view.querySelector<HTMLElement>('[data-pane-head]')?.offsetHeight ?? 0;
    live.fit(element.clientWidth - SIDES_PX, rowsRoomPx(view.clientHeight - headPx, room));
  };
  const observer = new ResizeObserver(fit);
  observer.observe(view);
  observer.observe(element);
  return () => observer.disconnect();
}

/** The window that gets the focus takes the terminal at its own size. */
function takeSizeWithFocus({ live }: BlockPane): () => void {
  const take = () => {
    if (document.visibilityState === 'visible') live.own.take();
  };
  addEventListener('focus', take);
  document.addEventListener('visibilitychange', take);
  return () => {
    removeEventListener('focus', take);
    document.removeEventListener('visibilitychange', take);
  };
}

/** Sends pastes through the core's guard before the emulator gets them, because the emulator passes everything on. */
function takePastes(pane: BlockPane, element: HTMLElement): () => void {
  const onPaste = (event: ClipboardEvent) => {
    if (!pane.live.hasFocus) return;
    event.preventDefault();
    event.stopPropagation();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text === '' || pane.terminal.ahead.take({ text, isPaste: true })) return;
    void pane.app.paste.into(pane.terminal.id, text);
  };
  element.addEventListener('paste', onPaste, { capture: true });
  return () => element.removeEventListener('paste', onPaste, { capture: true });
}

/** Shows links as links under the pointer while the modifier is down. */
function showLinks(element: HTMLElement): () => void {
  const onKey = ({ ctrlKey, metaKey }: KeyboardEvent) => element.classList.toggle('is-linking', ctrlKey || metaKey);
  addEventListener('keydown', onKey);
  addEventListener('keyup', onKey);
  return () => {
    removeEventListener('keydown', onKey);
    removeEventListener('keyup', onKey);
  };
}
