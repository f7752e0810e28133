// The file that the command line's door loads. It holds the commands that people and scripts call often with what they need and nothing
// else, so that their start costs little more than Node's own, and leaves all others to the command line itself.

const COMMANDS = ['ls', 'blocks', 'block'];
const GENERAL = ['-h', '--help', '-V', '--version'];

const [first = '', ...rest] = process.argv.slice(2);
if (COMMANDS.includes(first) || (rest.length === 0 && GENERAL.includes(first)))
  await (await import('./quickCommands.ts')).runQuickly(first);
else await import('./main.ts');

export {}; // a module, for its `await`s
