import { programFor } from './program.ts';
import { runProgram } from './runProgram.ts';

await runProgram(({ version }) => programFor(version, process.argv.slice(2)));
