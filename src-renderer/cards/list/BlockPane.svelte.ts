import { getContext, setContext } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { FindHit } from '../../../src-main/contract/api.ts';
import type { Block } from '../../../src-main/contract/block.ts';
import type { Palette } from '../../../src-main/contract/screen/palette.ts';
import type { AppState } from '../../app/AppState.svelte.ts';
import { openAddress } from '../../app/openAddress.ts';
import { strings } from '../../app/strings.ts';
import type { TerminalState } from '../../tabs/TerminalState.svelte.ts';
import { LiveTerminal } from '../../terminal/LiveTerminal.svelte.ts';
import { nextFrame, untilFrame } from '../../terminal/nextFrame.ts';
import { readPalette } from '../../terminal/readPalette.ts';
import { terminalLook } from '../../terminal/terminalLook.ts';
import { BlockFilter } from '../output/BlockFilter.svelte.ts';
import { CARD_PX, estimateCardPx, isHiddenLine, type ShapeView } from '../output/outputShape.ts';
import { SelectedCards } from '../selection/SelectedCards.svelte.ts';
import { BlockFind } from './BlockFind.svelte.ts';
import { keepList } from './keepList.svelte.ts';
import type { ListItem } from './listItems.ts';
import { VirtualList } from './VirtualList.svelte.ts';

/** Where the live emulator is shown. `pane`: all of it. `card`: the rows of one block. `prompt`: the shell's own prompt below the cards. */
export type LivePlace = { by: 'pane' | 'prompt' | 'nobody' } | { by: 'card'; blockId: string };

/** Frames in which a found line is centred again. */
const CENTER_LOOKS = 6;

/** The open menu of a card, at a point in px of the window. */
export interface OpenMenu {
  block: Block;
  x: number;
  y: number;
  /** Corner of the menu that is at the point. */
  align: 'start' | 'end';
}

/** State of the main area of one tab. Lives while the tab is shown. */
export class BlockPane {
  readonly app: AppState;
  readonly terminal: TerminalState;
  readonly list: ReturnType<typeof keepList>['value'];
  readonly #kept: ReturnType<typeof keepList>;
  readonly find: BlockFind;
  readonly selected: SelectedCards;
  readonly flow: VirtualList<ListItem>;
  readonly live: LiveTerminal;
  readonly filters = new SvelteMap<string, BlockFilter>();
  palette = $state.raw<Palette>(readPalette());
  /** Ticks while a command runs. */
  nowMs = $state(Date.now());
  menu = $state.raw<OpenMenu | null>(null);
  /** Card mode: single keys act on the focused card. Only a key enters it; it ends when the focus leaves the cards. */
  isCardMode = $state(false);

  readonly look = $derived.by(() => terminalLook(this.app.settings.current));
  readonly rowPx = $derived.by(() => this.look.rowPx);
  /** Lines that fit into the view. */
  readonly viewLines = $derived.by(() => Math.floor(this.flow.viewPx / this.rowPx));
  /** The person types commands at the shell's own prompt: by setting, by key, or because the shell has no markers. */
  readonly #showsPrompt = $derived.by(() => {
    const { view, keysTo } = this.terminal;
    if (view.state !== 'live') return false;
    const isAsked = keysTo === 'program' && view.atPrompt;
    return isAsked || view.quality.level === 'none' || this.app.settings.current['prompt.mode'] === 'shell';
  });
  /** Without a composer, only the program can take the keys. */
  readonly #isProgramsTurn = $derived.by(
    () =>
      this.terminal.keysTo === 'program' ||
      this.terminal.ahead.isOn ||
      this.terminal.mode === 'terminal' ||
      this.app.settings.current['prompt.mode'] === 'shell',
  );
  readonly place = $derived.by((): LivePlace => {
    if (this.terminal.mode === 'terminal' || this.live.isAlt) return { by: 'pane' };
    const running = this.list.running;
    if (running) return { by: 'card', blockId: running.id };
    const last = this.list.blocks.at(-1);
    // The live view stays where the person was looking until the finished text is loaded.
    const isFolded = last !== undefined && this.list.isFolded(last);
    if (last && !isFolded && this.live.clip(last.id) && !this.#isDrawn(last)) return { by: 'card', blockId: last.id };
    return { by: this.#showsPrompt ? 'prompt' : 'nobody' };
  });

  /** The line that an expanded output should scroll to. */
  wantedLine = $state.raw<{ blockId: string; n: number } | null>(null);
  /** The line that a global search opened. */
  foundLine = $state.raw<FindHit | null>(null);
  /** True for a moment after a bell. */
  isRinging = $state(false);

  constructor(app: AppState, terminal: TerminalState) {
    this.app = app;
    this.terminal = terminal;
    this.#kept = keepList(app, terminal.id);
    this.list = this.#kept.value;
    this.selected = new SelectedCards(this.list);
    this.find = new BlockFind(app.rpc.block, terminal.id);
    this.live = new LiveTerminal(terminal.id, app.rpc.terminal, {
      look: terminalLook(app.settings.current),
      palette: this.palette,
      blocks: app.rpc.block,
      events: {
        openLink: (address, isDisguised) => void this.openLink(address, isDisguised),
        clipboardWrite: (text) => void this.#offerClipboard(text),
      },
      hasKeys: () => this.#isProgramsTurn,
      takes: (text) => terminal.ahead.take({ text, isPaste: false }),
      passed: (mark) => terminal.ahead.passed(mark),
      drawn: (line) => terminal.ahead.drawn(line),
    });
    const estimate = (item: ListItem) =>
      item.type === 'divider'
        ? CARD_PX.divider
        : estimateCardPx(item.block, this.list.isFolded(item.block), {
            rowPx: this.rowPx,
            viewLines: this.viewLines,
            density: app.settings.current['cards.density'],
          });
    this.flow = new VirtualList(() => this.list.items, estimate, {
      kept: () => this.list.running?.id ?? null,
      above: () => this.list.clearedKey,
    });
  }

  /** Opens the filter of a card, or closes it. */
  toggleFilter(block: Block): void {
    const open = this.filters.get(block.id);
    open?.dispose();
    if (open) this.filters.delete(block.id);
    else {
      this.list.setFolded(block.id, false);
      this.filters.set(block.id, new BlockFilter(this.app.rpc.block, this.ref(block)));
    }
  }

  /** How a card shows its output. */
  shapeView({ id, usedAltScreen }: Block): ShapeView {
    return { isExpanded: this.list.expanded.has(id), isScreen: usedAltScreen, viewLines: this.viewLines };
  }

  /** Focuses the emulator, wherever it is shown; unfolds a card that hides it. */
  focusLive(): void {
    const { list, place } = this;
    // A card that hides nothing stays as it is: if it counted as opened, it would not fold when a full-screen program ends.
    if (place.by === 'card' && list.folded.has(place.blockId)) list.setFolded(place.blockId, false);
    this.live.focus();
  }

  ref(block: Block): { terminalId: string; blockId: string } {
    return { terminalId: this.terminal.id, blockId: block.id };
  }

  /** Scrolls to the card and focuses it, unless the person moved the focus elsewhere before it was drawn. */
  async focusCard(blockId: string): Promise<void> {
    const from = document.activeElement;
    if (!(await this.list.find(blockId))) {
      this.app.notices.fail(strings.cards.link.noCard(blockId));
      return;
    }
    this.list.cursorId = blockId;
    const element = await this.flow.reveal(blockId);
    if (this.list.cursorId !== blockId) return; // a later call chose another card
    const now = document.activeElement;
    // In a new window and after a change of tab, the composer takes the focus by itself. That is not the person moving elsewhere.
    const isByWindow = isAtRest(now) && (isAtRest(from) || hasLeft(from));
    const isElsewhere = now !== from && now !== document.body && !now?.matches('[data-flow]') && !isByWindow;
    if (!isElsewhere) element?.focus({ preventScroll: true });
  }

  /** Enters card mode on this card. */
  async choose({ id }: Block): Promise<void> {
    const hasFocus = () => document.activeElement?.matches('.card') === true; // a later key may have moved the focus to another card
    this.flow.elementOf(id)?.focus({ preventScroll: true }); // at once if the card is drawn, because the next key is for it
    this.isCardMode = hasFocus();
    await this.focusCard(id);
    this.isCardMode = hasFocus();
  }

  /** Attachment for the element that holds the emulator while it is not shown. */
  readonly open = (parking: HTMLElement) => this.live.open(parking);

  /** Shows a hit: unfolds its card, and expands the output if the line is hidden. */
  async showHit({ blockId, n }: FindHit): Promise<void> {
    const block = await this.list.find(blockId);
    if (!block) return;
    this.flow.unpin();
    this.list.setFolded(blockId, false);
    const output = this.list.output(block);
    output.want();
    await untilFrame(() => output.isReady || output.fault !== null); // the number of lines decides which of them are hidden
    if (isHiddenLine(n, output.total, this.shapeView(block))) this.list.setExpanded(blockId, true);
    const card = await this.flow.reveal(blockId);
    if (this.list.expanded.has(blockId)) this.wantedLine = { blockId, n };
    const line = () => card?.querySelector<HTMLElement>(`[data-n="${n}"]`);
    await untilFrame(() => line() != null);
    line()?.scrollIntoView({ block: 'nearest' });
  }

  /** Shows a hit of a global search: centred in the view, and highlighted until the reader scrolls. */
  async showLine(hit: FindHit): Promise<void> {
    this.foundLine = hit;
    await this.showHit(hit);
    // Cards around the line are measured once they are drawn, which moves the line.
    for (let look = 0; look < CENTER_LOOKS && this.foundLine === hit; look += 1) {
      this.flow.elementOf(hit.blockId)?.querySelector(`[data-n="${hit.n}"]`)?.scrollIntoView({ block: 'center' });
      await nextFrame();
    }
  }

  isFound(blockId: string, n: number): boolean {
    return this.foundLine?.blockId === blockId && this.foundLine.n === n;
  }

  /** Ends the search and focuses the card of the hit, else what had the focus before. */
  leaveFind(): void {
    const hit = this.find.current;
    this.find.close();
    this.live.search.clear();
    if (hit) void this.focusCard(hit.blockId);
    else if (this.terminal.keysTo === 'program') this.live.focus();
    else this.app.focus.toComposer(this.terminal.id);
  }

  /** Opens a link of the output after it shows the target. A link that is not allowed says why. */
  openLink(address: string, isDisguised: boolean): Promise<void> {
    return openAddress(this.app, address, isDisguised);
  }

  copy(text: string | Promise<string>, said: string | (() => string)): Promise<void> {
    return this.app.notices.copy(text, said);
  }

  /** The finished text is loaded. The core renders the text of a full-screen program only after its end. */
  #isDrawn(block: Block): boolean {
    const output = this.list.output(block);
    const isRendered = (block.usedAltScreen || block.addressed) && block.outputBytes > 0;
    const isEmpty = this.list.settled.has(block.id) && block.outputLines === 0; // for example after `clear`
    return output.isReady && (!isRendered || output.total > 0 || isEmpty);
  }

  dispose(): void {
    this.#kept.release();
    this.find.dispose();
    for (const filter of this.filters.values()) filter.dispose();
    this.live.dispose();
  }

  async #offerClipboard(text: string): Promise<void> {
    const question = {
      title: strings.app.clipboard.title,
      body: strings.app.clipboard.body(this.terminal.program),
      exact: text.slice(0, 1200),
      confirm: strings.app.clipboard.confirm,
    };
    if (await this.app.dialogs.ask(question)) await this.copy(text, strings.app.copied);
  }
}

const KEY = Symbol('pane');

export function providePane(pane: BlockPane): BlockPane {
  return setContext(KEY, pane);
}

export function getPane(): BlockPane {
  return getContext<BlockPane>(KEY);
}

/** The window put the focus here by itself. */
function isAtRest(element: Element | null): boolean {
  return element === document.body || element?.closest('[data-keys="line"]') != null;
}

/** The element is gone, or belongs to no terminal, like the notification button. */
function hasLeft(element: Element | null): boolean {
  return !element?.checkVisibility() || element.closest('main') === null;
}
