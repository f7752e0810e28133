import { allCommands, type CommandNode } from './commandTree.ts';
import { optionCases, quoted } from './shellText.ts';

/** A completion script for bash 3.2 and later. Without a match, bash completes file names. */
export function bashCompletions(root: CommandNode): string {
  const nodes = allCommands(root);
  const words = nodes.map((node) => {
    const all = [...node.commands.map(({ path }) => path.split(' ').at(-1) ?? ''), ...node.values];
    const options = node.options.flatMap(({ long, short }) => [long, short ?? '']).filter(Boolean);
    return `    ${quoted(node.path)}) words=${quoted([...all, ...options].join(' '))} ;;`;
  });
  return `# bash completion of hansard; made by \`hansard completions bash\`
_hansard() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${nodes
        .slice(1)
        .map(({ path }) => quoted(path))
        .join(' | ')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$at $prev" in
${optionCases(nodes, {
  values: (values) => `COMPREPLY=($(compgen -W ${quoted(values.join(' '))} -- "$cur")); return`,
  file: 'COMPREPLY=($(compgen -f -- "$cur")); return',
  value: 'return',
})}
  esac
  case "$at" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _hansard hansard
`;
}
