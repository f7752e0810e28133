import { counts } from './counts.ts';

/** Saved commands: their list, the form for one, import, and the list of a project. */
export const saved = {
  title: 'Saved commands',
  ofProject: 'Commands of this project',
  actions: { open: 'Saved commands…', fromComposer: 'Save text of composer…', fromCard: 'Save command…' },

  search: 'Search saved commands',
  noMatch: (query: string) => `No saved commands match “${query}”`,
  empty: 'No saved commands yet. Save one from the menu of a card, or import workflows of Warp.',
  add: 'New command',
  edit: 'Edit',
  editNamed: (name: string) => `Edit ${name}`,
  remove: 'Delete',
  removeNamed: (name: string) => `Delete ${name}`,
  removed: (name: string) => `“${name}” deleted`,
  undo: 'Undo',
  notRemoved: 'Could not delete the command',
  notRestored: 'Could not bring the command back',
  file: (path: string) => `In ${path}. Correct it in an editor; Hansard does not change it until then.`,

  newTitle: 'Save command',
  editTitle: 'Edit command',
  name: 'Name',
  command: 'Command',
  commandAbout: 'Write `{{name}}` or `{{name:default}}` for what changes. Tab goes from one to the next.',
  description: 'Description',
  tags: 'Tags',
  tagsAbout: 'Separated by commas',
  placeholders: 'Placeholders',
  placeholder: (name: string) => `Description of ${name}`,
  placeholderDefault: (name: string) => `Default of ${name}`,
  aboutPlaceholder: 'What to fill in',
  defaultPlaceholder: 'Default',
  saved: (name: string) => `Saved “${name}”`,
  notSaved: 'Not saved',

  importFiles: 'Import files…',
  importFolder: 'Import folder…',
  imported: (added: number, replaced: number, same: number) =>
    [
      `Imported ${counts.commands(added)}`,
      ...(replaced > 0 ? [`replaced ${counts.commands(replaced)}`] : []),
      ...(same > 0 ? [`${same} saved already`] : []),
    ].join(' · '),
  refused: (file: string, reason: string) => `${file}: ${reason}`,
  more: (count: number) => `and ${count} more`,
  nothingToImport: 'No .yaml or .json file there. Choose workflows of Warp.',
  notImported: 'Could not import',
  kept: (names: readonly string[]) =>
    names.length === 1
      ? `Kept your own “${names[0]}”.`
      : `Kept your own ${counts.commands(names.length)} of the same names: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}.`,
  replace: 'Replace',

  trust: {
    title: 'Use the commands of this project?',
    changed: 'Use the changed commands of this project?',
    body: 'Its list of commands comes with the folder, so others may have written it. Hansard shows nothing of it before you allow it. Commands are inserted into the composer and never run by themselves. If the file changes, Hansard asks again.',
    file: (path: string, bytes: number, sha256: string) => `${path}\n${bytes} bytes\nSHA-256 ${sha256}`,
    confirm: 'Use commands',
    done: 'Commands of this project are in the list',
    changedMeanwhile: 'The file changed while you were asked. Open the list again.',
    choice: 'Use the commands of this project…',
    choiceAbout: 'not shown before you allow it',
    note: (path: string) => `This project has its own commands in ${path}.`,
    noteChanged: (path: string) => `The commands of this project in ${path} changed since you allowed them.`,
    review: 'Review…',
  },
  /** `at` counts from 0. */
  field: ({ name, description, at, count }: { name: string; description: string; at: number; count: number }) =>
    `${description === '' ? name : `${name}: ${description}`}${count > 1 ? ` (${at + 1} of ${count})` : ''} · Tab goes on`,
  fieldOpen: (name: string) => `Fill in ${name} first, or press Escape to leave it as it is`,
} as const;
