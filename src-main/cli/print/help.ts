import type { EXIT } from './exitCodes.ts';
import { EXIT as CODES } from './exitCodes.ts';
import { formatPairs } from './table.ts';

const MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  negative: 'a check failed (the report says which)',
  notRunning: 'Hansard is not running',
  usage: 'invalid command line',
  dataErr: 'a part of the record is damaged or unreadable; stderr names it, and the rest is printed',
  noInput: 'the id, file or folder does not exist or cannot be read',
  unavailable: 'something required is missing: a build, a free port, a core that answers',
  software: 'a bug in Hansard (HANSARD_DEBUG=1 shows where)',
  ioError: 'the output could not be written',
};

/** The text below the options in `--help`: examples with their effects, exit codes, and notes. */
export function helpText(help: {
  examples: readonly (readonly [string, string])[];
  exits: readonly (keyof typeof EXIT)[];
  notes?: readonly string[];
  /** More specific meanings of exit codes for this command. */
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
