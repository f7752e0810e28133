import { z } from 'zod';
import {
  RemoteBlockChange,
  RemoteBlockLines,
  RemoteBlockPage,
  RemoteDividers,
  RemoteFilter,
  RemoteFind,
} from './remoteBlocks.ts';
import { RemoteChatDelta, RemoteChatPage, RemoteConversations } from './remoteChats.ts';
import { RemoteExport, RemotePicture } from './remoteFiles.ts';
import { RemoteSearchEvent } from './remoteSearch.ts';
import { RemoteStreamItem } from './remoteStream.ts';
import { Time } from './remoteValues.ts';

/** The answers, and the values of subscriptions, from which a window builds a terminal's view, and the files that it saves. Others are texts and figures of one dialog. */
const SHAPES: Readonly<Record<string, z.ZodType>> = {
  'terminal.stream': RemoteStreamItem,
  'block.onChange': RemoteBlockChange,
  'block.page': RemoteBlockPage,
  'block.dividers': RemoteDividers,
  'block.lines': RemoteBlockLines,
  'block.filter': RemoteFilter,
  'block.find': RemoteFind,
  'chat.onChange': RemoteChatDelta,
  'chat.list': RemoteConversations,
  'chat.page': RemoteChatPage,
  'search.find': RemoteSearchEvent,
  'block.export': RemoteExport,
  'chat.export': RemoteExport,
  'agent.past.export': RemoteExport,
  'screen.picture': RemotePicture,
};

/** Reports the position of the mistake and never the value: that is the machine's own text. */
export class RefusedAnswer extends Error {}

/** What was asked: the path, and the input in the machine's own form. */
export interface Asked {
  readonly path: string;
  readonly input: unknown;
}

const Input = z.looseObject({ terminalId: z.string().optional() });
const MAX_PLACE_CHARS = 60;
/** Real answers are nested less deeply. */
const MAX_DEPTH = 40;

/** The machine's answer, as far as it has the form that its path promises. Throws a RefusedAnswer otherwise. */
export function checkAnswer(name: string, { path, input }: Asked, answer: unknown): unknown {
  const shape = SHAPES[path];
  if (!shape) {
    const place = wrongTimeIn(answer);
    if (place !== null) throw refused(name, path, place);
    return answer;
  }
  const read = shape.safeParse(answer);
  if (!read.success) throw refused(name, path, read.error.issues[0]?.path ?? []);
  const { terminalId } = Input.safeParse(input).data ?? {};
  if (terminalId !== undefined && !isOf(terminalId, read.data)) throw refused(name, path, ['terminalId']);
  return read.data;
}

export function refused(name: string, path: string, place: readonly PropertyKey[]): RefusedAnswer {
  const where = [path, ...place.map(String)].join('.').slice(0, MAX_PLACE_CHARS);
  return new RefusedAnswer(`${name} sent something that this version of Hansard does not accept (${where}).`);
}

/** The place of a time that no date can be, which a window could not format, or of what is nested too deep; null without any. */
function wrongTimeIn(value: unknown, place: readonly string[] = []): readonly string[] | null {
  if (typeof value !== 'object' || value === null) {
    const isTime = typeof value === 'number' && place.at(-1)?.endsWith('Ms') === true;
    return isTime && !Time.safeParse(value).success ? place : null;
  }
  if (place.length > MAX_DEPTH) return place;
  for (const [name, one] of Object.entries(value)) {
    const wrong = wrongTimeIn(one, [...place, name]);
    if (wrong !== null) return wrong;
  }
  return null;
}

/** Whether everything that names a terminal names this one. A card of another terminal would act on that one. */
function isOf(terminalId: string, value: unknown, depth = 0): boolean {
  if (depth > 3 || typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((one) => isOf(terminalId, one, depth + 1));
  const names = Object.entries(value);
  return names.every(([name, one]) => (name === 'terminalId' ? one === terminalId : isOf(terminalId, one, depth + 1)));
}
