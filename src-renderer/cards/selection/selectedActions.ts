import type { Block } from '../../../src-main/contract/block.ts';
import type { Action } from '../../app/AppState.svelte.ts';
import { linkOf } from '../../app/copyLink.ts';
import { strings } from '../../app/strings.ts';
import { saveFile } from '../../ui/browser/saveFile.ts';
import type { BlockPane } from '../list/BlockPane.svelte.ts';

/** Most text that is joined from several cards. For longer text, export each card. */
const MAX_CHARS = 16 * 1024 * 1024;

type What = 'output' | 'command' | 'both' | 'markdown';
type Blocks = readonly Block[];

/** Copies the text of the cards, in their order, as one text. */
export async function copySelected(pane: BlockPane, blocks: Blocks, what: What): Promise<void> {
  const read = (block: Block) => pane.app.rpc.block.text({ ...pane.ref(block), what });
  const named = what === 'output' ? blocks : blocks.filter(({ cmd }) => cmd !== null);
  let said = strings.cards.selection.copied(strings.counts.cards(named.length));
  const joined = join(named, read, what === 'markdown' || what === 'both' ? '\n\n' : '\n').then(({ text, isCut }) => {
    if (isCut) said = strings.cards.copiedPart(said);
    return text;
  });
  await pane.copy(joined, () => said);
}

/** Saves the finished cards as one file. */
export async function exportSelected(pane: BlockPane, blocks: Blocks, format: 'txt' | 'md' | 'ansi'): Promise<void> {
  const read = (block: Block) => pane.app.rpc.block.export({ ...pane.ref(block), format });
  const ended = blocks.filter(({ status }) => status !== 'running');
  const { text, isCut } = await join(ended, read, '\n\n');
  const fileName = `${pane.terminal.id}-${ended.length}-cards.${format}`;
  saveFile(fileName, new Blob([text], { type: 'text/plain;charset=utf-8' }));
  pane.app.notices.say(isCut ? strings.cards.savedPart(fileName) : strings.app.savedAs(fileName));
}

/** Bookmarks all of them; removes the bookmarks if all have one. */
export async function bookmarkSelected(pane: BlockPane, blocks: Blocks): Promise<void> {
  const kept = blocks.filter(({ ephemeral }) => !ephemeral);
  const bookmarked = !kept.every((block) => block.bookmarked);
  await Promise.all(kept.map((block) => pane.app.rpc.block.setBookmarked({ ...pane.ref(block), bookmarked })));
  const { bookmarked: added, unbookmarked } = strings.cards.selection;
  pane.app.notices.say((bookmarked ? added : unbookmarked)(strings.counts.cards(kept.length)));
}

/** Copies the links of the cards, one per line. */
export async function copyLinks(pane: BlockPane, blocks: Blocks): Promise<void> {
  const links = blocks.map((block) => linkOf(pane.app, pane.ref(block)));
  const many = strings.cards.selection.copiedLinks(strings.counts.cards(blocks.length));
  await pane.copy(links.join('\n'), blocks.length === 1 ? strings.cards.copiedLink : many);
}

/** The actions that select cards by key and clear the selection. */
export function selectionActions(pane: BlockPane): Action[] {
  const { list, selected } = pane;
  const group = strings.app.groups.card;
  const when = () => pane.isCardMode;
  const extend = (by: 1 | -1) => () => {
    const from = list.current();
    const block = list.walk(by);
    if (!block) return;
    selected.extendTo(block.id, from?.id);
    void pane.choose(block);
  };
  const words = strings.cards.selection;
  return [
    { id: 'selection.up', title: words.extendUp, group, keys: 'Shift+Up', when, run: extend(-1) },
    { id: 'selection.down', title: words.extendDown, group, keys: 'Shift+Down', when, run: extend(1) },
    {
      id: 'selection.toggle',
      title: words.toggle,
      group,
      keys: 'S',
      when,
      run: () => selected.toggle(list.current()?.id ?? ''),
    },
    { id: 'selection.all', title: words.all, group, keys: 'Mod+A', when, run: () => selected.all() },
    {
      id: 'selection.clear',
      title: words.clear,
      group,
      keys: 'Escape',
      when: () => selected.count > 0 && !document.activeElement?.closest('[data-keys]'),
      run: () => selected.clear(),
    },
  ];
}

async function join(
  blocks: Blocks,
  read: (block: Block) => Promise<{ text: string; truncated: boolean }>,
  between: string,
): Promise<{ text: string; isCut: boolean }> {
  const parts: string[] = [];
  let isCut = false;
  let chars = 0;
  for (const block of blocks) {
    if (chars > MAX_CHARS) return { text: parts.join(between), isCut: true };
    const { text, truncated } = await read(block); // one after another: a hundred long ones at once would flood the connection
    const trimmed = text.replace(/\n$/, '');
    parts.push(trimmed);
    chars += trimmed.length;
    isCut ||= truncated;
  }
  return { text: parts.join(between), isCut };
}
