import type { CompletionChoice } from '../../src-main/contract/completion.ts';
import { strings } from '../app/strings.ts';
import { fitsShell, type ListedCommand, matchSaved } from './matchSaved.ts';
import type { Saved } from './Saved.svelte.ts';

/** A completion, or what the window itself offers after a `/`: a saved command, or the question about the project's list. */
export interface OfferedChoice extends CompletionChoice {
  saved?: ListedCommand;
  asksTrust?: true;
}

/** More are found by typing more. */
const MAX_OFFERED = 50;

/** What `query` finds, for a shell. */
export function savedChoices(
  { all, list }: Pick<Saved, 'all' | 'list'>,
  query: string,
  shell: string,
): OfferedChoice[] {
  const usable = all.filter((command) => fitsShell(command, shell));
  const found = matchSaved(usable, query)
    .slice(0, MAX_OFFERED)
    .map(
      (saved): OfferedChoice => ({
        insert: saved.command,
        label: saved.name,
        kind: 'saved',
        detail: '',
        description: saved.description ?? saved.command.replaceAll(/\s+/g, ' '),
        saved,
      }),
    );
  if (query !== '' || list.project?.state !== 'untrusted') return found;
  const { choice, choiceAbout } = strings.saved.trust;
  return [...found, { insert: '', label: choice, kind: 'saved', description: choiceAbout, asksTrust: true }];
}
