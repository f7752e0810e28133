import { Argument, type Command } from 'commander';
import { bashCompletions } from '../../completions/bash.ts';
import { type CommandNode, commandTree } from '../../completions/commandTree.ts';
import { fishCompletions } from '../../completions/fish.ts';
import { zshCompletions } from '../../completions/zsh.ts';
import { helpText } from '../../print/help.ts';
import { print } from '../../print/output.ts';

/** For each shell, its script and the file name under which a package installs it. */
export const COMPLETIONS: Readonly<Record<string, { fileName: string; format(root: CommandNode): string }>> = {
  bash: { fileName: 'hansard.bash', format: bashCompletions },
  zsh: { fileName: '_hansard', format: zshCompletions },
  fish: { fileName: 'hansard.fish', format: fishCompletions },
};

export function addCompletions(program: Command): void {
  program
    .command('completions')
    .description('Print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(COMPLETIONS)))
    .addHelpText('after', helpText({ examples: EXAMPLES, exits: ['ok', 'usage', 'software', 'ioError'] }))
    .action(async (shell: string) => {
      await print(COMPLETIONS[shell]?.format(commandTree(program)) ?? '');
    });
}

const EXAMPLES = [
  ['source <(hansard completions bash)', 'load it; put this line into ~/.bashrc to keep it'],
  ['source <(hansard completions zsh)', 'load it, after compinit'],
  ['hansard completions fish > ~/.config/fish/completions/hansard.fish', 'install it for fish'],
] as const;
