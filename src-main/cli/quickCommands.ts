import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { bareProgram, type ListedCommand, listedProgram, withHelpCommand } from './bareProgram.ts';
import { addBlock } from './commands/block.ts';
import { addBlocks } from './commands/blocks.ts';
import { addLs } from './commands/ls.ts';
import { addRecord } from './commands/record.ts';
import { runProgram } from './runProgram.ts';

const COMMANDS: Readonly<Record<string, (program: Command) => void>> = {
  ls: addLs,
  blocks: addBlocks,
  block: addBlock,
  record: addRecord,
};

/** Runs one of the commands above, or prints the general help for another `name`, and ends the process. */
export function runQuickly(name: string): Promise<void> {
  const add = COMMANDS[name];
  return runProgram(({ version, commandList }) => {
    if (!add && commandList)
      return listedProgram(version, JSON.parse(readFileSync(commandList, 'utf8')) as ListedCommand[]);
    const program = bareProgram(version);
    add?.(program);
    return withHelpCommand(program);
  });
}
