import { allCommands, type CommandNode } from './commandTree.ts';
import { optionCases, quoted } from './shellText.ts';

/** A completion script for zsh: a file `_hansard` on the fpath, or sourced after compinit. */
export function zshCompletions(root: CommandNode): string {
  const nodes = allCommands(root);
  return `#compdef hansard
# zsh completion of hansard; made by \`hansard completions zsh\`
_hansard() {
  local at='' i
  local -a commands options
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      ${nodes
        .slice(1)
        .map(({ path }) => quoted(path))
        .join(' | ')}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${optionCases(nodes, {
  values: (values) => `compadd -- ${values.map(quoted).join(' ')}; return`,
  file: '_files; return',
  value: 'return',
})}
  esac
  case "$at" in
${nodes.map(nodeCase).join('\n')}
  esac
  (( \${#commands} )) && _describe -t commands command commands
  _describe -o -t options option options
}
if [ "\${funcstack[1]}" = _hansard ]; then _hansard "$@"; else compdef _hansard hansard; fi
`;
}

function nodeCase(node: CommandNode): string {
  const commands = node.commands.map(({ path, summary }) => described(path.split(' ').at(-1) ?? '', summary));
  const options = node.options.flatMap(({ long, short, summary }) =>
    [long, short ?? ''].filter(Boolean).map((name) => described(name, summary)),
  );
  const files = node.takesFile ? ' _files;' : '';
  return `    ${quoted(node.path)}) commands=(${[...commands, ...node.values.map(quoted)].join(' ')}); options=(${options.join(' ')});${files} ;;`;
}

function described(name: string, summary: string): string {
  return quoted(`${name}:${summary}`);
}
