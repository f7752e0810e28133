import { ToolFault } from '../../contract/mcp/mcp.ts';
import { keyframeFrom } from '../../contract/screen/foldDelta.ts';
import type { ScreenReading } from '../../contract/screen/screen.ts';
import { cutText } from '../../redaction/cutText.ts';
import { redactedDeltas } from '../../redaction/redactedDeltas.ts';
import { outputLines } from '../../search/lines/outputLines.ts';
import { answerOf, framedText } from '../protocol/answers.ts';
import { splitRef } from '../protocol/inputs.ts';
import { ASCIICAST, type ResourcePlace } from '../protocol/resourceUri.ts';
import { readingAnswer } from '../protocol/screenText.ts';
import type { FromTerminal, ToolAnswer, ToolCall } from '../protocol/Tool.ts';
import { untrustedText } from '../protocol/untrustedText.ts';
import { notedAnswer } from '../protocol/watchResult.ts';
import { blocksSince } from '../tools/blocks/blocksSince.ts';
import { chatOf } from '../tools/chats/chatsRead.ts';
import { deltasAnswer, ptyScreenDeltas } from '../tools/screen/ptyScreenDeltas.ts';
import { readWithAbove } from '../tools/screen/ptySnapshot.ts';
import { pictureOf } from '../tools/screen/screenPicture.ts';
import { ptyList } from '../tools/terminal/ptyList.ts';
import { conversationCast, MAX_TEXT_CHARS, rangeCast } from './readCast.ts';

/** A message is at most 10 MB, and base64 adds a third. */
const MAX_RAW_BYTES = 6 * 1024 * 1024;
/** The newest entries of all clients; the caller gets only its own. */
const MAX_AUDIT_LINES = 1000;
/** The limit of pty_screen_deltas. */
const MAX_DELTAS = 200;

/** Keys in the `_meta` of a resource, present only above zero: redacted secrets, and bytes beyond the limit. */
const REDACTIONS = 'hansard/redactions';
const OMITTED = 'hansard/omitted_bytes';

export type Contents = {
  uri: string;
  mimeType: string;
  _meta?: { readonly [REDACTIONS]: number } | { readonly [OMITTED]: number };
} & ({ text: string } | { blob: string });

/** Throws a ToolFault for a resource that does not exist or is not visible. */
export async function readResource(uri: string, place: ResourcePlace, call: ToolCall): Promise<Contents> {
  switch (place.kind) {
    case 'ptys':
      return json(uri, await ptyList.run({ include_closed: false }, call), call);
    case 'blocks': {
      const input = blocksSince.input.parse({ pty_id: place.terminalId, limit: 50 });
      return json(uri, await blocksSince.run(input, call), call);
    }
    case 'screen.json':
      return json(uri, await screenOf(place.terminalId, call), call);
    case 'screen': {
      const { text, redactions } = await screenOf(place.terminalId, call);
      return framed({ uri, mimeType: 'text/plain' }, text?.text ?? { text: '', about: '' }, redactions);
    }
    case 'screen.png': {
      const { image } = await pictureOf(await readingOf(place.terminalId, call), call.desk);
      return { uri, mimeType: image.mimeType, blob: Buffer.from(image.bytes).toString('base64') };
    }
    case 'deltas':
      return json(uri, await deltasOf(place, call), call);
    case 'cast':
      return { uri, mimeType: ASCIICAST, text: await rangeCast(place, call) };
    case 'output':
      return framed(
        { uri, mimeType: 'text/plain' },
        { text: await outputOf(place.ref, call), about: `block ${place.ref}` },
      );
    case 'raw':
      return { uri, mimeType: 'application/octet-stream', ...(await rawOf(place.ref, call)) };
    case 'chat':
      return chatFile(uri, place, call);
    case 'inbox':
      return inboxOf(uri, place.client, call);
    case 'audit': {
      const filter = { client: call.caller.name };
      const { lines } = await call.clients.audit.log.page({ limit: MAX_AUDIT_LINES, filter });
      return { uri, mimeType: 'application/json', text: JSON.stringify({ lines: lines.toReversed() }) };
    }
  }
}

/** Frames text from a terminal as tools do. */
function framed(kind: Pick<Contents, 'uri' | 'mimeType'>, text: FromTerminal, before = 0): Contents {
  const { text: shown, redactions } = framedText(text);
  return { ...kind, text: shown, ...counted(before + redactions) };
}

function counted(redactions: number): Pick<Contents, '_meta'> {
  return redactions === 0 ? {} : { _meta: { [REDACTIONS]: redactions } };
}

/** Only for the client's own inbox. */
function inboxOf(uri: string, client: string, call: ToolCall): Contents {
  const { caller, desk } = call;
  if (client !== caller.name)
    throw new ToolFault('NOT_ALLOWED_SCOPE', 'that inbox is not yours', `yours is term://inbox/${caller.name}`);
  return json(uri, notedAnswer(desk.notify.noted(client)), call);
}

function readingOf(terminalId: string, call: ToolCall): Promise<ScreenReading> {
  call.desk.record.terminal(terminalId);
  return readWithAbove(terminalId, call, { scrollback: 0 });
}

/** The deltas from a cursor, or the current screen as one keyframe with the cursor to continue from. */
async function deltasOf(
  { terminalId, cursor }: { terminalId: string; cursor: number | null },
  call: ToolCall,
): Promise<ToolAnswer> {
  if (cursor !== null) {
    const input = ptyScreenDeltas.input.parse({ pty_id: terminalId, cursor, limit: MAX_DELTAS });
    return ptyScreenDeltas.run(input, call);
  }
  const { record, screens } = call.desk;
  record.terminal(terminalId);
  const end = await screens.deltas(terminalId, 'end', 1);
  const screen = await screens.before(terminalId, end.cursor);
  const deltas = screen ? [keyframeFrom(screen)] : [];
  return deltasAnswer(terminalId, { ...end, deltas, resumeCursor: end.cursor }, redactedDeltas(deltas, null));
}

async function screenOf(terminalId: string, call: ToolCall): Promise<ToolAnswer> {
  return readingAnswer(await readingOf(terminalId, call), { include: [], maxChars: MAX_TEXT_CHARS, scrollback: 0 });
}

function json(uri: string, answer: ToolAnswer, { desk }: ToolCall): Contents {
  const { structuredContent } = answerOf(answer, { nowMs: desk.nowMs(), effective: {} });
  return { uri, mimeType: 'application/json', text: JSON.stringify(structuredContent) };
}

async function outputOf(ref: string, { desk }: ToolCall): Promise<string> {
  const { terminalId, blockId } = splitRef(ref);
  const terminal = desk.record.terminal(terminalId);
  const block = await desk.record.block(terminalId, blockId);
  let text = '';
  for await (const { lines } of outputLines(terminal, block, { view: 'rendered', first: 0 })) {
    text += `${lines.join('\n')}\n`;
    if (text.length > MAX_TEXT_CHARS)
      return `${cutText(text, MAX_TEXT_CHARS)}\n[cut here: ${block.outputLines} lines in all; blocks_read gives any of them]`;
  }
  return text;
}

async function rawOf(ref: string, { desk }: ToolCall): Promise<{ blob: string; _meta?: { [OMITTED]: number } }> {
  const { terminalId, blockId } = splitRef(ref);
  const { rawStart, rawEnd } = await desk.record.block(terminalId, blockId);
  const most = Math.min(MAX_RAW_BYTES, (rawEnd ?? Number.POSITIVE_INFINITY) - rawStart);
  const { bytes, size } = await desk.record.raw(terminalId, rawStart, most);
  const omitted = (rawEnd ?? size) - rawStart - bytes.length;
  return { blob: Buffer.from(bytes).toString('base64'), ...(omitted > 0 && { _meta: { [OMITTED]: omitted } }) };
}

async function chatFile(
  uri: string,
  { ref, format }: Extract<ResourcePlace, { kind: 'chat' }>,
  call: ToolCall,
): Promise<Contents> {
  const whole = await chatOf(ref, call);
  if (format === 'cast') return { uri, mimeType: ASCIICAST, text: await conversationCast(whole, call) };
  const { id, terminalId } = whole.conversation;
  const file = await call.desk.chats.exportAs({ terminalId, conversationId: id, format, redact: true });
  const kind = { uri, mimeType: file?.mediaType ?? 'text/plain' };
  const { text = '', redacted = 0 } = file ?? {};
  if (format === 'md') return framed(kind, { text, about: `conversation ${id}` }, redacted);
  const safe = untrustedText(text); // a frame would break these file formats
  return { ...kind, text: safe.text, ...counted(redacted + safe.redactions) };
}
