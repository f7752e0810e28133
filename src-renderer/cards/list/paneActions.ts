import type { Action } from '../../app/AppState.svelte.ts';
import { strings } from '../../app/strings.ts';
import { isInChat } from '../../conversation/chatPlace.ts';
import type { Stop } from '../../rpc/Rpc.ts';
import { guard } from '../../tabs/tabActions.ts';
import { selectionActions } from '../selection/selectedActions.ts';
import type { BlockPane } from './BlockPane.svelte.ts';
import { jumpActions } from './jumps.ts';
import { stepFind } from './stepFind.ts';

/** Clears the shell's screen, so that its own view is empty too. */
const CTRL_L = '\x0c';
/** About sixteen columns. */
const SIDEWAYS_PX = 120;

/** Registers the actions on the tab's main area as a whole. */
export function registerPaneActions(pane: BlockPane): Stop {
  const { app, terminal, list, live } = pane;
  const isBlocks = () => terminal.mode === 'blocks' && !live.isAlt;
  const walk = (by: 1 | -1) => () => {
    const block = list.walk(by);
    if (block) void pane.choose(block);
  };
  const choose = () => {
    const block = list.current();
    if (block) void pane.choose(block);
  };
  const isCardMode = () => pane.isCardMode;
  const group = strings.app.groups.card;
  return app.palette.register(
    { id: 'card.previous', title: strings.cards.list.previous, group, keys: 'Alt+Up', when: isBlocks, run: walk(-1) },
    { id: 'card.next', title: strings.cards.list.next, group, keys: 'Alt+Down', when: isBlocks, run: walk(1) },
    { id: 'card.choose', title: strings.cards.list.enterMode, group, keys: 'F6', when: isBlocks, run: choose },
    { id: 'card.up', title: strings.cards.list.modePrevious, group, keys: 'Up', when: isCardMode, run: walk(-1) },
    { id: 'card.down', title: strings.cards.list.modeNext, group, keys: 'Down', when: isCardMode, run: walk(1) },
    { id: 'card.first', title: strings.cards.list.oldest, group, when: isBlocks, run: () => void toOldest(pane) },
    {
      id: 'card.last',
      title: strings.cards.list.newest,
      group,
      keys: 'Mod+End',
      when: isBlocks,
      run: () => pane.flow.toEnd(),
    },
    {
      id: 'card.leave',
      title: strings.cards.list.leave,
      group,
      keys: 'Escape',
      when: () => findScope(pane) !== null,
      run: () => leave(pane),
    },
    ...pageActions(pane),
    ...jumpActions(pane),
    ...sidewaysActions(),
    ...selectionActions(pane),
    ...findActions(pane),
    ...viewActions(pane),
  );
}

function viewActions(pane: BlockPane): Action[] {
  const { app, terminal, live } = pane;
  return [
    {
      id: 'view.toggle',
      title: strings.cards.list.toggleView,
      group: strings.app.groups.view,
      keys: 'Mod+Shift+L',
      run: () => {
        terminal.mode = terminal.mode === 'blocks' ? 'terminal' : 'blocks';
      },
    },
    {
      id: 'view.clear',
      title: strings.cards.list.clear,
      group: strings.app.groups.view,
      keys: 'Mod+Shift+K',
      // A shell without hooks may have no line editor, and the key would become part of the next command.
      when: () => terminal.view.state === 'live' && !terminal.isRunning && terminal.view.quality.level !== 'none',
      run: () => guard(app, app.rpc.terminal.write({ id: terminal.id, data: CTRL_L })),
    },
    {
      id: 'terminal.copy',
      title: strings.cards.list.copySelection,
      group: strings.app.groups.view,
      keys: 'Mod+Shift+C',
      when: () => live.xterm.hasSelection() || hasSelectedText(),
      run: () => void pane.copy(live.xterm.getSelection() || String(getSelection()), strings.app.copied),
    },
  ];
}

/** Scrolls by a view, as in every terminal. A program that runs in a card scrolls its own rows first, through the emulator. */
function pageActions({ app, terminal, live, flow, rowPx }: BlockPane): Action[] {
  const group = strings.app.groups.view;
  const { pageUp, pageDown } = strings.cards.list;
  const when = (by: 1 | -1) => () => {
    const isEmulators = app.focus.isInSurface(terminal.id) && live.scrollsItself(by);
    return terminal.mode === 'blocks' && !live.isAlt && !isEmulators && !isInChat();
  };
  const run = (by: 1 | -1) => () => flow.page(by, 2 * rowPx);
  return [
    { id: 'view.pageUp', title: pageUp, group, keys: 'Shift+PageUp', when: when(-1), run: run(-1) },
    { id: 'view.pageDown', title: pageDown, group, keys: 'Shift+PageDown', when: when(1), run: run(1) },
  ];
}

/** Scrolls sideways in a focused card whose lines do not wrap. */
function sidewaysActions(): Action[] {
  const body = () => document.querySelector('.card:focus > .nowrap');
  const canScroll = (isRight: boolean) => () => {
    const element = body();
    if (!element) return false;
    // At the right end, → moves to the buttons of the card.
    return isRight ? element.scrollLeft + element.clientWidth < element.scrollWidth - 1 : element.scrollLeft > 0;
  };
  const group = strings.app.groups.card;
  const by = (left: number) => () => body()?.scrollBy({ left });
  const { scrollLeft, scrollRight } = strings.cards.list;
  return [
    { id: 'card.scrollLeft', title: scrollLeft, group, keys: 'Left', when: canScroll(false), run: by(-SIDEWAYS_PX) },
    { id: 'card.scrollRight', title: scrollRight, group, keys: 'Right', when: canScroll(true), run: by(SIDEWAYS_PX) },
  ];
}

function findActions(pane: BlockPane): Action[] {
  const { palette } = pane.app;
  const group = strings.app.groups.view;
  const when = () => pane.find.isOpen;
  const { findNext, findPrevious } = strings.cards.list;
  return [
    { id: 'find.next', title: findNext, group, keys: 'F3', when, run: () => stepFind(pane, 1) },
    { id: 'find.previous', title: findPrevious, group, keys: 'Shift+F3', when, run: () => stepFind(pane, -1) },
    {
      id: 'tab.search',
      title: strings.cards.list.searchTab,
      group: strings.app.groups.view,
      keys: 'Mod+Alt+F',
      run: () => pane.find.open(null),
    },
    {
      id: 'pane.find',
      title: strings.cards.list.find,
      group: strings.app.groups.view,
      keys: 'Mod+F',
      run: () => (isInChat() ? palette.run('chat.find') : pane.find.open(findScope(pane))),
    },
  ];
}

/** The focused card, else the whole tab. */
function findScope(pane: BlockPane): string | null {
  const key = (document.activeElement as HTMLElement | null)?.dataset.flow;
  return key !== undefined && pane.list.get(key) ? key : null;
}

function hasSelectedText(): boolean {
  return String(getSelection()) !== '';
}

async function toOldest(pane: BlockPane): Promise<void> {
  const first = pane.list.items[0];
  if (first) await pane.flow.reveal(first.key);
}

function leave(pane: BlockPane): void {
  pane.list.cursorId = null;
  pane.foundLine = null;
  pane.flow.toEnd();
  const { id, keysTo } = pane.terminal;
  const isTaken = keysTo === 'program' ? pane.app.focus.toSurface(id) : pane.app.focus.toComposer(id);
  if (!isTaken) pane.app.focus.toSurface(id);
}
