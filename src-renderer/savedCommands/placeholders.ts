import type { SavedCommand } from '../../src-main/contract/savedCommand.ts';

/**
 * A name or `name:default` between equally many braces. Two braces are a placeholder; four or more mean the same text with two braces less, so that
 * any text can be written. Everything else is text: `{{.Names}}`, `{{ x }}` and `{x}` belong to other programs.
 */
const BRACED = /(?<!\{)(\{{2,})([\p{L}_][\p{L}\p{N}_-]{0,59})(:[^{}\n\t]{0,500})?(\}{2,})(?!\})/gu;

export type TemplatePiece = { text: string } | { name: string; preset: string | null };

/** The text of a saved command, in pieces: placeholders, and the text between them as it goes into the composer. */
export function parseTemplate(command: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let text = '';
  let at = 0;
  for (const { 0: whole, 1: open = '', 2: name = '', 3: preset, 4: close = '', index } of command.matchAll(BRACED)) {
    text += command.slice(at, index);
    at = index + whole.length;
    if (open.length !== close.length || open.length % 2 === 1) text += whole;
    else if (open.length > 2) text += whole.slice(2, -2);
    else {
      if (text !== '') pieces.push({ text });
      text = '';
      pieces.push({ name, preset: preset === undefined ? null : preset.slice(1) });
    }
  }
  text += command.slice(at);
  if (text !== '') pieces.push({ text });
  return pieces;
}

/** The saved form of text that has no placeholders: it comes back as it is. */
export function escapeTemplate(text: string): string {
  return text.replace(BRACED, (whole: string, open: string, ...[, , close]: string[]) =>
    open.length === close?.length && open.length % 2 === 0 ? `{{${whole}}}` : whole,
  );
}

/** One placeholder, however often it is there. `from` and `to` count in the filled text. */
export interface Field {
  name: string;
  description: string;
  ranges: readonly { from: number; to: number }[];
  /** There is no default: the text still names the placeholder. */
  isOpen: boolean;
}

export interface FilledCommand {
  text: string;
  fields: readonly Field[];
}

/** The text for the composer: defaults, and `{{name}}` for placeholders without one. */
export function fillCommand({ command, arguments: described = [] }: SavedCommand): FilledCommand {
  const pieces = parseTemplate(command);
  const presets = new Map<string, string>();
  for (const piece of pieces)
    if ('name' in piece && piece.preset !== null && !presets.has(piece.name)) presets.set(piece.name, piece.preset);
  for (const { name, default: preset } of described)
    if (preset !== undefined && !presets.has(name)) presets.set(name, preset);
  const fields = new Map<string, { from: number; to: number }[]>();
  let text = '';
  for (const piece of pieces) {
    if ('text' in piece) {
      text += piece.text;
      continue;
    }
    const from = text.length;
    text += presets.get(piece.name) ?? `{{${piece.name}}}`;
    fields.set(piece.name, [...(fields.get(piece.name) ?? []), { from, to: text.length }]);
  }
  return {
    text,
    fields: [...fields].map(([name, ranges]) => ({
      name,
      description: described.find((one) => one.name === name)?.description ?? '',
      ranges,
      isOpen: !presets.has(name),
    })),
  };
}

/** Names of the placeholders, in their order, each once. */
export function placeholderNames(command: string): string[] {
  return [...new Set(parseTemplate(command).flatMap((piece) => ('name' in piece ? [piece.name] : [])))];
}
