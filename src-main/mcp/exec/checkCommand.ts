import { ToolFault } from '../../contract/mcp/mcp.ts';

export const MAX_COMMAND_CHARS = 8192;

/** Control characters except LF, line and paragraph separators, noncharacters and lone surrogates: a shell's line editor would act on them. */
const UNTYPABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]|\p{Cs}/u;

/**
 * Returns the command as it will be typed, trimmed of blanks and line ends: a leading blank keeps a line out of the shell's history and so out of the
 * record. Throws a ToolFault for a command that must not be typed.
 */
export function checkCommand(text: string, allowMultiline: boolean): string {
  if (text.length > MAX_COMMAND_CHARS)
    throw new ToolFault(
      'TOO_LARGE',
      `a command has at most ${MAX_COMMAND_CHARS} characters, this one has ${text.length}`,
      'write a script to a file and run that',
    );
  const cmd = text.replace(/^[ \n]+|[ \n]+$/g, '');
  const bad = UNTYPABLE.exec(cmd)?.[0];
  if (bad !== undefined)
    throw badInput(
      `the command holds the control character U+${(bad.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
      "leave it out, or write it as the shell's own escape",
    );
  if (cmd === '') throw badInput('the command is empty', 'give a command');
  if (cmd.normalize('NFC') !== cmd)
    throw badInput('the command is not in Unicode NFC, so it could read as another one', 'normalize it (NFC)');
  if (cmd.includes('\n') && !allowMultiline)
    throw badInput('the command has more than one line', 'set allow_multiline, or join the lines by `;` or `&&`');
  return cmd;
}

function badInput(message: string, suggestion: string): ToolFault {
  return new ToolFault('BAD_INPUT', message, suggestion);
}
