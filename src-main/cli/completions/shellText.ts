import type { CommandNode } from './commandTree.ts';

/** Quotes any text as one word for bash or zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface Replies {
  values(values: readonly string[]): string;
  file: string;
  value: string;
}

/** A `case` for the value of each option that takes one; the subject is the command's path, a space and the option. */
export function optionCases(nodes: readonly CommandNode[], replies: Replies): string {
  return nodes
    .flatMap(({ path, options }) =>
      options
        .filter(({ takes }) => takes !== 'nothing')
        .map(({ long, short, takes, values }) => {
          const names = [long, short ?? ''].filter(Boolean).map((name) => quoted(`${path} ${name}`));
          const reply = values.length > 0 ? replies.values(values) : takes === 'file' ? replies.file : replies.value;
          return `    ${names.join(' | ')}) ${reply} ;;`;
        }),
    )
    .join('\n');
}
