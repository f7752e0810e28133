import type { EXIT } from './exitCodes.ts';
import { EXIT as CODES } from './exitCodes.ts';
import { formatPairs } from './table.ts';

const MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  negative: 'something is wrong (the report says what)',
  notRunning: 'no Hansard runs on this record',
  usage: 'the command line was not understood',
  dataErr: 'a part of the record is damaged or cannot be read; stderr names it, and the rest was given',
  noInput: 'the id, file or folder that was named is not there or cannot be read',
  unavailable: 'something that is needed is not there: a build, a free port, an answering core',
  software: 'a bug in Hansard (HANSARD_DEBUG=1 shows where)',
  ioError: 'the output could not be written',
};

/** What stands below the options in `--help`: examples with what they do, exit codes, and whatever else is to be said. */
export function helpText(help: {
  examples: readonly (readonly [string, string])[];
  exits: readonly (keyof typeof EXIT)[];
  notes?: readonly string[];
  /** Where a code says something more exact here. */
  meanings?: Partial<Record<keyof typeof EXIT, string>>;
}): string {
  const exits = help.exits.map((name) => [String(CODES[name]), help.meanings?.[name] ?? MEANINGS[name]] as const);
  const parts = [
    ...(help.notes ? ['', ...help.notes] : []),
    '',
    'Examples:',
    ...formatPairs(help.examples),
    '',
    'Exit codes:',
    ...formatPairs(exits),
  ];
  return parts.join('\n');
}
