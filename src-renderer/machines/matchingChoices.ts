import type { MachineChoice } from '../../src-main/contract/machines.ts';

/** Choices that have every typed word in their name or host: those whose name begins with it first. */
export function matchingChoices(choices: readonly MachineChoice[], typed: string): MachineChoice[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const [first = ''] = words;
  const begins = ({ name }: MachineChoice) => Number(name.toLowerCase().startsWith(first));
  return choices
    .filter(({ name, hostName }) => words.every((word) => `${name} ${hostName ?? ''}`.toLowerCase().includes(word)))
    .sort((a, b) => begins(b) - begins(a));
}
