import type { Block } from '../../../src-main/contract/block.ts';
import type { Action } from '../../app/AppState.svelte.ts';
import { strings } from '../../app/strings.ts';
import { showConversationOf } from '../../conversation/conversationActions.ts';
import { imagesOf } from '../../images/imagesOf.ts';
import { shownImages } from '../../images/ShownImages.svelte.ts';
import type { Stop } from '../../rpc/Rpc.ts';
import { saveText } from '../../savedCommands/savedActions.ts';
import { saveFile } from '../../ui/browser/saveFile.ts';
import type { BlockPane } from '../list/BlockPane.svelte.ts';
import { bookmarkSelected, copyLinks, copySelected, exportSelected } from '../selection/selectedActions.ts';
import { rerunCard } from './rerunCard.ts';
import { saveCast } from './saveCast.ts';

/** An action on one card. It is in the card's toolbar and menu, on keys, and in the palette, where it applies to the current card. */
export interface BlockAction {
  id: string;
  title(pane: BlockPane, block: Block): string;
  /** Name in the palette, where it does not depend on the state of a card. */
  name: string;
  /** Keys in card mode. An action that runs a command needs a chord, because a letter may be the start of a word. */
  keys?: string;
  isPossible?(block: Block, pane: BlockPane): boolean;
  run(pane: BlockPane, block: Block): Promise<void> | void;
  /** Runs the action on several selected cards. Without it, the action applies to the current card only. */
  runAll?(pane: BlockPane, blocks: readonly Block[]): Promise<void>;
}

const hasCommand = (block: Block) => block.cmd !== null;
const hasEnded = (block: Block) => block.status !== 'running';
const isCommand = (block: Block) => block.kind === 'command';

function copyAction(
  id: string,
  name: string,
  keys: string,
  what: 'output' | 'command' | 'both' | 'markdown',
): BlockAction {
  return {
    id,
    name,
    keys,
    title: () => name,
    isPossible: what === 'output' ? () => true : hasCommand,
    run: (pane, block) => copyText(pane, block, what),
    runAll: (pane, blocks) => copySelected(pane, blocks, what),
  };
}

export const BLOCK_ACTIONS: readonly BlockAction[] = [
  copyAction('block.copyOutput', strings.cards.copyOutput, 'C', 'output'),
  copyAction('block.copyCommand', strings.cards.copyCommand, 'Shift+C', 'command'),
  copyAction('block.copyBoth', strings.cards.copyBoth, 'Shift+B', 'both'),
  copyAction('block.copyMarkdown', strings.cards.copyMarkdown, 'M', 'markdown'),
  {
    id: 'block.rerun',
    name: strings.cards.rerun,
    keys: 'Mod+Enter',
    title: () => strings.cards.rerun,
    isPossible: (block) => hasCommand(block) && isCommand(block),
    run: rerunCard,
  },
  {
    id: 'block.insert',
    name: strings.cards.insert,
    keys: 'I',
    title: () => strings.cards.insert,
    isPossible: hasCommand,
    run: insert,
  },
  {
    id: 'block.save',
    name: strings.saved.actions.fromCard,
    title: () => strings.saved.actions.fromCard,
    isPossible: (block) => hasCommand(block) && isCommand(block),
    run: (pane, block) => saveText(pane.app, block.cmd ?? ''),
  },
  {
    id: 'block.bookmark',
    name: strings.cards.bookmark,
    keys: 'B',
    title: (_, block) => (block.bookmarked ? strings.cards.removeBookmark : strings.cards.bookmark),
    isPossible: (block) => !block.ephemeral,
    run: async (pane, block) => {
      await pane.app.rpc.block.setBookmarked({ ...pane.ref(block), bookmarked: !block.bookmarked });
    },
    runAll: bookmarkSelected,
  },
  {
    id: 'block.fold',
    name: strings.cards.foldOrUnfold,
    keys: 'Enter Space',
    title: (pane, block) => (pane.list.isFolded(block) ? strings.cards.unfold : strings.cards.fold),
    run: (pane, block) => pane.flow.steady(block.id, () => pane.list.setFolded(block.id, !pane.list.isFolded(block))),
  },
  {
    id: 'block.expand',
    name: strings.cards.expandOrCollapse,
    keys: 'X',
    title: (pane, block) => (pane.list.expanded.has(block.id) ? strings.cards.collapse : strings.cards.expand),
    isPossible: hasEnded,
    run: (pane, block) =>
      pane.flow.steady(block.id, () => pane.list.setExpanded(block.id, !pane.list.expanded.has(block.id))),
  },
  {
    id: 'block.wrap',
    name: strings.cards.wrapOrNot,
    keys: 'W',
    title: (pane, block) => (pane.list.unwrapped.has(block.id) ? strings.cards.wrap : strings.cards.noWrap),
    isPossible: hasEnded,
    run: ({ flow, list: { unwrapped } }, { id }) =>
      flow.steady(id, () => void (unwrapped.delete(id) || unwrapped.add(id))),
  },
  {
    id: 'block.copyLink',
    name: strings.cards.copyLink,
    keys: 'L',
    title: () => strings.cards.copyLink,
    isPossible: (block) => !block.ephemeral,
    run: (pane, block) => copyLinks(pane, [block]),
    runAll: copyLinks,
  },
  {
    id: 'block.filter',
    name: strings.cards.filter,
    keys: '/',
    title: (pane, block) => (pane.filters.has(block.id) ? strings.cards.closeFilter : strings.cards.filter),
    isPossible: hasEnded,
    run: (pane, block) => pane.flow.steady(block.id, () => pane.toggleFilter(block)),
  },
  {
    id: 'block.findInside',
    name: strings.cards.findInside,
    keys: 'F',
    title: () => strings.cards.findInside,
    run: (pane, block) => pane.find.open(block.id),
  },
  {
    id: 'block.openInEditor',
    name: strings.cards.openInEditor,
    keys: 'E',
    title: () => strings.cards.openInEditor,
    isPossible: hasEnded,
    run: openInEditor,
  },
  {
    id: 'block.images',
    name: strings.images.show,
    title: () => strings.images.show,
    isPossible: (block) => block.images !== undefined,
    run: async (pane, block) => shownImages.open(pane.live.images, await imagesOf(pane.app.rpc.block, pane.ref(block))),
  },
  {
    id: 'block.replay',
    name: strings.replay.actions.card,
    title: () => strings.replay.actions.card,
    isPossible: hasEnded,
    run: (pane, block) => pane.app.replays.open({ id: pane.terminal.id, blockId: block.id }),
  },
  {
    id: 'block.joinNested',
    name: strings.cards.joinNested,
    title: () => strings.cards.joinNested,
    isPossible: (block) => block.status === 'running' && block.nested !== undefined,
    run: joinNested,
  },
  {
    id: 'block.conversation',
    name: strings.cards.conversation,
    title: () => strings.cards.conversation,
    isPossible: (block, { app }) => app.chats.ofBlock(block.id) !== undefined,
    run: (pane, block) => showConversationOf(pane.app, block.id),
  },
  exportAction('txt', strings.cards.exportText),
  exportAction('md', strings.cards.exportMarkdown),
  exportAction('ansi', strings.cards.exportColours),
  {
    id: 'block.export.cast',
    name: strings.cards.exportCast,
    title: () => strings.cards.exportCast,
    isPossible: hasEnded,
    run: (pane, block) => saveCast(pane.app, { id: pane.terminal.id, blockId: block.id }),
  },
];

/** Shows a notice with the error when an action fails. */
export function runBlockAction(pane: BlockPane, id: string, block: Block): void {
  const action = BLOCK_ACTIONS.find((one) => one.id === id);
  const isAll = action?.runAll !== undefined && pane.selected.count > 1 && pane.selected.has(block.id);
  if (!action || (!isAll && action.isPossible?.(block, pane) === false)) return;
  const failed = (error: unknown) => pane.app.notices.fail(strings.app.namedActionFailed(action.name), error);
  Promise.resolve(isAll ? action.runAll?.(pane, pane.selected.blocks) : action.run(pane, block)).catch(failed);
}

/** Registers all actions for the current card. Their keys work only in card mode. */
export function registerBlockActions(pane: BlockPane): Stop {
  return pane.app.palette.register(
    ...BLOCK_ACTIONS.map((action): Action => {
      return {
        id: action.id,
        title: action.name,
        group: strings.app.groups.card,
        ...(action.keys && { keys: action.keys }),
        when: () => {
          const block = pane.list.current();
          if (block === undefined || !isMeant(pane, block)) return false;
          const meant = meantBlock(pane, action);
          return meant !== undefined && action.isPossible?.(meant, pane) !== false;
        },
        run: () => {
          const block = meantBlock(pane, action);
          if (block) runBlockAction(pane, action.id, block);
        },
      };
    }),
  );
}

/** An action that supports several cards applies to the selected ones, wherever the cursor is. */
function meantBlock({ list, selected }: BlockPane, { runAll }: BlockAction): Block | undefined {
  return (runAll && selected.blocks[0]) ?? list.current();
}

/** In card mode a key applies to the focused card; Enter on a button within it presses the button. The palette uses the current card. */
function isMeant(pane: BlockPane, block: Block): boolean {
  const focused = document.activeElement as HTMLElement | null;
  return pane.app.palette.isOpen || (pane.isCardMode && focused?.dataset.flow === block.id);
}

async function copyText(
  pane: BlockPane,
  block: Block,
  what: 'output' | 'command' | 'both' | 'markdown',
): Promise<void> {
  let said = '';
  const read = pane.app.rpc.block.text({ ...pane.ref(block), what }).then(({ text, truncated }) => {
    const lines = text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
    const whole =
      what === 'command' ? strings.cards.copiedCommand : strings.cards.copiedLines(strings.counts.lines(lines));
    said = truncated ? strings.cards.copiedPart(whole) : whole;
    return text;
  });
  await pane.copy(read, () => said);
}

function insert(pane: BlockPane, block: Block): void {
  if (block.cmd === null) return;
  if (!pane.app.focus.insertIntoPrompt(pane.terminal.id, block.cmd)) pane.app.notices.say(strings.cards.noComposer);
}

async function openInEditor(pane: BlockPane, block: Block): Promise<void> {
  const { opened, text } = await pane.app.rpc.block.openInEditor(pane.ref(block));
  if (opened) pane.app.notices.say(text);
  else pane.app.notices.fail(text);
}

async function joinNested(pane: BlockPane, block: Block): Promise<void> {
  const verdict = await pane.app.rpc.terminal.joinNested({ id: pane.terminal.id });
  if (verdict.ok) {
    pane.app.focus.toSurface(pane.terminal.id); // the button disappears when the card ends, and the focus would be lost with it
    return;
  }
  const { noHook, notAtPrompt } = strings.cards;
  pane.app.notices.say(verdict.reason === 'no-hook' ? noHook(block.nested ?? '') : notAtPrompt);
}

function exportAction(format: 'txt' | 'md' | 'ansi', name: string): BlockAction {
  return {
    id: `block.export.${format}`,
    name,
    title: () => name,
    isPossible: hasEnded,
    run: async (pane, block) => {
      const { fileName, text, truncated } = await pane.app.rpc.block.export({ ...pane.ref(block), format });
      saveFile(fileName, new Blob([text], { type: 'text/plain;charset=utf-8' }));
      pane.app.notices.say(truncated ? strings.cards.savedPart(fileName) : strings.app.savedAs(fileName));
    },
    runAll: (pane, blocks) => exportSelected(pane, blocks, format),
  };
}
