import { allCommands, type CommandNode, type OptionNode } from './commandTree.ts';
import { quoted } from './shellText.ts';

/** A completion script for fish 3: a file in a completions folder, or sourced. */
export function fishCompletions(root: CommandNode): string {
  const nodes = allCommands(root);
  return `# fish completion of hansard; made by \`hansard completions fish\`
function __hansard_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        switch "$at $word"
            case ${nodes
              .slice(1)
              .map(({ path }) => fishQuoted(path))
              .join(' ')}
                set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c hansard -f
${nodes.flatMap(linesOf).join('\n')}
`;
}

function linesOf(node: CommandNode): string[] {
  const here = `complete -c hansard -n ${fishQuoted(`__hansard_at ${quoted(node.path)}`)}`;
  return [
    ...node.commands.map(({ path, summary }) => `${here} -a ${path.split(' ').at(-1)} -d ${fishQuoted(summary)}`),
    ...(node.values.length > 0 ? [`${here} -a ${fishQuoted(node.values.join(' '))}`] : []),
    ...(node.takesFile ? [`${here} -F`] : []),
    ...node.options.map((option) => `${here} ${flagsOf(option)} -d ${fishQuoted(option.summary)}`),
  ];
}

function flagsOf({ long, short, takes, values }: OptionNode): string {
  const value =
    values.length > 0 ? ` -x -a ${fishQuoted(values.join(' '))}` : { nothing: '', file: ' -r -F', value: ' -x' }[takes];
  return `-l ${long.slice(2)}${short ? ` -s ${short.slice(1)}` : ''}${value}`;
}

/** In fish, single quotes know two escapes. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
