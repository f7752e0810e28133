import type { Approval } from '../../contract/mcp/approval.ts';
import { shownHash } from '../../contract/mcp/shownHash.ts';
import { plainParts } from '../../mcp/access/shownParts.ts';
import { escapeLine } from '../../util/escapeControls.ts';
import { CliError, EXIT } from '../print/exitCodes.ts';

/** The command on one line; invisible characters appear by name, between ‹ and ›. */
export function shownCommand({ shown }: Pick<Approval, 'shown'>): string {
  return plainParts(shown);
}

/** Everything that a person needs for the decision, as lines. */
export function approvalLines(approval: Approval): string[] {
  const { client, terminalId, cwd, reason, saysReadOnly, why, subcommand, kind } = approval;
  const what = { command: 'run', keys: 'type', control: 'do', answer: 'answer', prompt: 'prompt the agent there with' }[
    kind
  ];
  const place = client.isVerified ? (client.terminalId ?? 'outside of your terminals') : 'an unknown terminal';
  return [
    `${client.title} (${client.name}, from ${place}) wants to ${what} in ${terminalId}${cwd === null ? '' : `, in ${cwd}`}:`,
    `    ${shownCommand(approval)}`,
    ...(reason === null ? [] : [`    its reason: ${reason}`]),
    ...(saysReadOnly ? ['    the client says: read-only'] : []),
    `    why you are asked: ${why}${subcommand === null ? '' : ` (${subcommand})`}`,
    `    hash of all that: ${shownHash(approval)}`,
  ].map(escapeLine);
}

/** Refuses if the asking client runs in this terminal, because the answer might come from the client itself. */
export function refuseOwn({ client }: Approval): void {
  if (client.terminalId !== null && process.env.HANSARD_TERMINAL === client.terminalId)
    throw new CliError(
      'the client runs in this terminal. Answer in the window or from another terminal.',
      EXIT.negative,
    );
}
