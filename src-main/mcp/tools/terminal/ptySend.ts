import { z } from 'zod';
import type { Lease } from '../../../contract/mcp/approval.ts';
import { unsaid } from '../../input/typingShown.ts';
import { capped, MAX_WAIT_MS, PtyId } from '../../protocol/inputs.ts';
import { readingAnswer } from '../../protocol/screenText.ts';
import { defineTool, type ToolCall } from '../../protocol/Tool.ts';
import { readWithAbove } from '../screen/ptySnapshot.ts';

const Mouse = z.strictObject({
  action: z.enum(['press', 'release', 'click', 'move', 'scroll_up', 'scroll_down']),
  row: capped(0, 999),
  col: capped(0, 999),
  button: z.enum(['left', 'middle', 'right']).default('left'),
});

export const ptySend = defineTool({
  name: 'pty_send',
  aliases: ['pty.send', 'pty_write'],
  title: 'Send keys or text',
  description:
    'Keys, text, a paste or a mouse event for the program in a terminal; exactly one of them. With a lease from pty_control (lease_id), or without one: then it takes a lease for this one call. if_seq or if_screen_matches send only if the screen is still what you saw (else SEQ_MISMATCH and nothing is sent). Keys: "Enter", "Ctrl+C", "Alt+x", "F5", "Up*3". For shell commands use pty_exec. evidence says what was seen to come of it.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  profile: 'full',
  scope: 'input',
  input: z.strictObject({
    pty_id: PtyId,
    lease_id: z.string().max(64).optional(),
    text: z.string().max(8192).optional(),
    keys: z.array(z.string().max(32)).max(64).optional(),
    paste: z.string().max(100_000).optional(),
    mouse: Mouse.optional(),
    submit: z.boolean().default(false),
    if_seq: z.int().nonnegative().optional(),
    if_epoch: z.string().max(64).optional(),
    if_screen_matches: z.string().max(512).optional(),
    wait: z.strictObject({ stable_ms: capped(50, 30_000, 300), wait_ms: capped(0, MAX_WAIT_MS, 5_000) }).optional(),
  }),
  inputAliases: { 'wait.timeout_ms': 'wait_ms' },
  isWait: isWaiting,
  about: ({ pty_id, ...typed }) => ({ terminalId: pty_id, what: unsaid(typed) }),
  admit: ({ pty_id }, { record }) => void record.liveTerminal(pty_id),
  async run(input, call) {
    const { desk, clients, caller, signal, authority } = call;
    const { if_seq, if_epoch, if_screen_matches, wait, text, keys, paste, mouse } = input;
    const lease = input.lease_id === undefined ? await leaseForOne(input.pty_id, call) : null;
    const sent = await clients.send
      .send(
        {
          terminalId: input.pty_id,
          leaseId: input.lease_id ?? lease?.id ?? '',
          submit: input.submit,
          ...(text !== undefined && { text }),
          ...(keys !== undefined && { keys }),
          ...(paste !== undefined && { paste }),
          ...(mouse !== undefined && { mouse }),
          ...(if_seq !== undefined && { ifSeq: if_seq }),
          ...(if_epoch !== undefined && { ifEpoch: if_epoch }),
          ...(if_screen_matches !== undefined && { ifScreenMatches: if_screen_matches }),
          ...(wait && { wait: { stableMs: wait.stable_ms, timeoutMs: wait.wait_ms } }),
        },
        caller,
        {
          signal,
          countCommands: (count) => authority.countCommands(caller, count),
          ...(!isWaiting(input) && { beginWait: () => authority.beginWait(caller) }), // otherwise the call is already a wait
        },
      )
      .finally(() => lease && clients.leases.release(lease.id, caller));
    const facts = {
      pty_id: input.pty_id,
      bytes_written: sent.bytesWritten,
      seq_before: sent.seqBefore,
      seq_after: sent.seqAfter,
      screen_epoch: sent.epoch,
      accepted: sent.accepted,
      evidence: sent.evidence,
    };
    if (!wait) return { facts };
    desk.record.terminal(input.pty_id); // throws if the person has hidden the terminal meanwhile
    const since = { since: sent.seqBefore, epoch: sent.epoch };
    const reading = await readWithAbove(input.pty_id, call, { scrollback: 0, ...since });
    const snapshot = readingAnswer(reading, { include: [], maxChars: 8_000, scrollback: 0 });
    return { ...snapshot, facts: { ...facts, snapshot: snapshot.facts }, told: { snapshot: snapshot.told ?? {} } };
  },
});

/** Longer than any wait of the call. */
const ONE_CALL_S = 70;

/** Requests a lease for this call; like any lease it may need the person's approval. */
function leaseForOne(terminalId: string, { clients, caller, authority }: ToolCall): Promise<Lease> {
  const asked = { terminalId, reason: 'to send one input', ttlS: ONE_CALL_S };
  return clients.leases.request(asked, caller, () => authority.beginWait(caller));
}

function isWaiting({ wait }: { wait?: { wait_ms: number } | undefined }): boolean {
  return (wait?.wait_ms ?? 0) > 0;
}
