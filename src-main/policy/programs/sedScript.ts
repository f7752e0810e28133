import { programName } from './programs.ts';

/** Lines picked by number, or one substitution by "/": sed's other commands can run programs (e) and write files (w). */
const PLAIN_SCRIPT = /^(?:(?:\d+|\$)(?:,(?:\d+|\$))?[pdq=]|(?:\d+(?:,\d+)?)?s\/[^/\\\n]*\/[^/\\\n]*\/[gpI\d]*)$/;
const PLAIN_OPTION = /^(?:-[nErsuz]+|--quiet|--silent|--regexp-extended|--separate|--unbuffered|--null-data)$/;

/** Whether a command is not sed at all, or sed with a script that only reads and prints. */
export function isPlainSed([program = '', ...words]: readonly string[]): boolean {
  if (!/^g?sed$|^ssed$/.test(programName(program))) return true;
  const [script = '', ...files] = words.filter((word) => !PLAIN_OPTION.test(word));
  return PLAIN_SCRIPT.test(script) && files.every((file) => !file.startsWith('-'));
}
