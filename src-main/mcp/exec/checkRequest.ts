import { type McpCaller, ToolFault } from '../../contract/mcp/mcp.ts';
import { asOneCommand, inFolder } from '../../shells/inFolder.ts';
import type { PtyInstance } from '../../terminal/PtyInstance.ts';
import { faults, thrown } from '../protocol/execFaults.ts';
import { checkCommand } from './checkCommand.ts';
import type { ClampedInput } from './ExecRequest.ts';
import { guardWrite } from './guardWrite.ts';
import { isTallerThan, TOO_TALL } from './isTallerThan.ts';

/** The command as given and as it would be typed. Throws a ToolFault for a command that is refused under every policy. */
export function checkRequest(
  input: ClampedInput,
  caller: McpCaller,
  terminal: PtyInstance,
): { requested: string; cmd: string } {
  guardWrite(caller, terminal);
  const { view } = terminal;
  const { allowMultiline = false, expectedCwd } = input;
  const requested = checkCommand(input.cmd, allowMultiline);
  if (view.state === 'exited') throw thrown(faults.gone(terminal.id));
  if (view.quality.level === 'none' || view.quality.level === 'basic')
    throw new ToolFault('NO_SHELL_INTEGRATION', view.quality.reason, view.quality.fix ?? 'use another terminal');
  if (expectedCwd !== undefined && expectedCwd !== view.cwd) throw thrown(faults.cwd(expectedCwd, view.cwd));
  const cmd = typed(input, requested, terminal);
  // Checked before the person is asked to approve it.
  if (isTallerThan(cmd, view))
    throw new ToolFault(
      'TOO_LARGE',
      TOO_TALL,
      'enlarge the terminal (pty_control with resize), or run a script from a file',
    );
  return { requested, cmd };
}

/** The text to type into the shell's line. */
function typed({ cwd, allowMultiline = false }: ClampedInput, requested: string, { view }: PtyInstance): string {
  if (cwd === undefined) {
    const isOne = !requested.includes('\n');
    return isOne ? requested : (asOneCommand(view.shell, requested) ?? requested);
  }
  const isPlain = cwd.startsWith('/') && !/[\p{C}\n]/u.test(cwd);
  const cmd = isPlain ? inFolder(view.shell, cwd, requested) : null;
  if (cmd === null)
    throw new ToolFault(
      'BAD_INPUT',
      `the command cannot be run in "${cwd}" from here`,
      'give an absolute path, or use `cd` yourself',
    );
  return checkCommand(cmd, allowMultiline);
}
