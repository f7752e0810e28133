import { z } from 'zod';
import type { Approval } from '../../contract/mcp/approval.ts';
import type { RemoteAnswer } from '../access/ApprovalQueue.ts';
import { plainParts, shownParts } from '../access/shownParts.ts';
import { untrustedText } from '../protocol/untrustedText.ts';

const MAX_REASON_CHARS = 300;

/** A question for a person in the protocol's format (MCP `elicitation/create`, form mode). */
export interface ElicitedForm {
  readonly mode: 'form';
  readonly message: string;
  readonly requestedSchema: {
    readonly type: 'object';
    readonly properties: Record<string, { type: 'string'; title: string; enum?: string[]; maxLength?: number }>;
    readonly required: string[];
  };
}

/**
 * The same content as in the window: the text that would be typed with hidden characters named, folder, reason, rule and hash. Of the window's
 * choices only "once" and "deny"; "deny" comes first, because some clients preselect the first option.
 */
export function approvalForm({
  client,
  terminalId,
  shown,
  cwd,
  reason,
  saysReadOnly,
  why,
  subcommand,
  hash,
}: Approval): ElicitedForm {
  const lines = [
    `${line(client.title)} (${client.name}) wants to run this in the terminal ${terminalId}:`,
    '',
    plainParts(shown),
    '',
    `in the folder: ${cwd === null ? 'not known' : outside(cwd)}`,
    ...(reason === null ? [] : [`what the client says it is for: ${outside(reason)}`]),
    ...(saysReadOnly ? ['the client says that it only reads'] : []),
    `why you are asked: ${outside(why)}${subcommand === null ? '' : ` (${line(subcommand)})`}`,
    `SHA-256 of command, folder, terminal and screen: ${hash}`,
  ];
  return {
    mode: 'form',
    message: lines.join('\n'),
    requestedSchema: {
      type: 'object',
      properties: {
        answer: { type: 'string', title: 'Run it, this once?', enum: ['deny', 'once'] },
        reason: { type: 'string', title: 'If not: what to tell the agent', maxLength: MAX_REASON_CHARS },
      },
      required: ['answer'],
    },
  };
}

/** An empty reason means no reason, because a client fills in every field. */
const Content = z.object({ answer: z.enum(['once', 'deny']), reason: z.string().max(MAX_REASON_CHARS).default('') });
const Elicited = z.discriminatedUnion('action', [
  z.object({ action: z.literal('accept'), content: Content }),
  z.object({ action: z.literal('decline') }),
  z.object({ action: z.literal('cancel') }),
]);

/** The client's answer. Null if it does not fit this form: the question stays open. */
export function answerIn(brought: unknown): RemoteAnswer | null {
  const { data } = Elicited.safeParse(brought);
  if (!data) return null;
  if (data.action === 'decline') return { choice: 'deny', reason: 'declined in the client' };
  if (data.action === 'cancel') return { choice: 'deny', reason: 'the question was dismissed in the client' };
  const { answer, reason } = data.content;
  return answer === 'once' ? { choice: 'once' } : { choice: 'deny', reason };
}

/** The client's own text, unchanged except for hidden characters, which are named. */
function line(text: string): string {
  return plainParts(shownParts(text));
}

/** Text that may come from a terminal, redacted. */
function outside(text: string): string {
  return line(untrustedText(text).text);
}
