import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { bareProgram, type ListedCommand, listedProgram, withHelpCommand } from './bareProgram.ts';
import { addBlock } from './commands/block.ts';
import { addBlocks } from './commands/blocks.ts';
import { addLs } from './commands/ls.ts';
import { runProgram } from './runProgram.ts';

// The file that the command line's door loads: commands that people and scripts call often, with what they need and nothing else in one
// file, so that their start costs little more than Node's own. All others are left to the command line itself.

const QUICK: Readonly<Record<string, (program: Command) => void>> = { ls: addLs, blocks: addBlocks, block: addBlock };

const [first = '', ...rest] = process.argv.slice(2);
const add = Object.hasOwn(QUICK, first) ? QUICK[first] : undefined;
const isGeneral = rest.length === 0 && ['-h', '--help', '-V', '--version'].includes(first);
if (add)
  await runProgram(({ version }) => {
    const program = bareProgram(version);
    add(program);
    return withHelpCommand(program);
  });
else if (isGeneral)
  await runProgram(({ version, commandList }) => {
    if (commandList === null) throw new Error('only a built Hansard has the list of its commands');
    return listedProgram(version, JSON.parse(readFileSync(commandList, 'utf8')) as ListedCommand[]);
  });
else await import('./main.ts');
