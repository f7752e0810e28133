// The command line's entry loads this file. It contains only the commands that people and scripts call often, so that their start takes little longer
// than Node's own; the command line itself has all others.

const COMMANDS = ['ls', 'blocks', 'block', 'record'];
const GENERAL = ['-h', '--help', '-V', '--version'];

const [first = '', ...rest] = process.argv.slice(2);
if (COMMANDS.includes(first) || (rest.length === 0 && GENERAL.includes(first)))
  await (await import('./quickCommands.ts')).runQuickly(first);
else await import('./main.ts');

export {}; // makes this a module, for its `await`s
