import type { SavedCommand } from '../../src-main/contract/savedCommand.ts';
import { placeholderNames } from './placeholders.ts';

/** A saved command as the form has it. */
export interface Draft {
  name: string;
  command: string;
  description: string;
  /** Separated by commas. */
  tags: string;
  /** By the name of the placeholder. */
  described: Readonly<Record<string, { description: string; default: string }>>;
}

export function draftOf(command: SavedCommand): Draft {
  return {
    name: command.name,
    command: command.command,
    description: command.description ?? '',
    tags: (command.tags ?? []).join(', '),
    described: Object.fromEntries(
      (command.arguments ?? []).map(({ name, description = '', default: preset = '' }) => [
        name,
        { description, default: preset },
      ]),
    ),
  };
}

/** `before` has what the form does not show: the shells, and keys of a newer version. Empty fields are left out. */
export function commandOf(draft: Draft, before: SavedCommand): SavedCommand {
  const { description: _d, tags: _t, arguments: known = [], ...others } = before;
  const tags = draft.tags
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
  const described = placeholderNames(draft.command).flatMap((name) => {
    const { description, default: preset } = draft.described[name] ?? { description: '', default: '' };
    const { description: _, default: __, ...more } = known.find((one) => one.name === name) ?? { name };
    const argument = {
      ...more,
      name,
      ...(description.trim() && { description: description.trim() }),
      ...(preset && { default: preset }),
    };
    return Object.keys(argument).length > 1 ? [argument] : [];
  });
  return {
    ...others,
    name: draft.name.trim(),
    command: draft.command,
    ...(draft.description.trim() && { description: draft.description.trim() }),
    ...(tags.length > 0 && { tags: [...new Set(tags)] }),
    ...(described.length > 0 && { arguments: described }),
  };
}
