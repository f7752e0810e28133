import { homedir } from 'node:os';
import { PAST_ID } from '../../contract/pastId.ts';
import type { BlockHit, MessageHit, SearchHit, SearchSpan } from '../../contract/search.ts';
import { escapeLine } from '../../util/escapeControls.ts';
import { formatTime } from './formatFigures.ts';
import { colour } from './output.ts';

/** Formats one hit: a heading and its lines on a terminal, a line per match in a pipe. */
export function formatHit(hit: SearchHit, isFirst: boolean): string[] {
  return process.stdout.isTTY ? [...(isFirst ? [] : ['']), ...forEyes(hit)] : forPipe(hit);
}

function forPipe(hit: SearchHit): string[] {
  const id = `${hit.terminalId}/${hit.id}`;
  const cmd = hit.type === 'block' && hit.cmdSpans.length > 0 ? [`${id}:cmd:${escapeLine(hit.cmd ?? '')}`] : [];
  const lines = hit.lines.map(({ n, text }) => `${id}:${n + 1}:${escapeLine(text)}`);
  // A phrase across two lines is in neither of them; an unknown command cannot be shown.
  return cmd.length + lines.length > 0 ? [...cmd, ...lines] : [`${id}::`];
}

function forEyes(hit: SearchHit): string[] {
  const lines = hit.lines.map(({ n, text, spans, column }) => {
    const cut = column > 0 ? '…' : '';
    return `  ${colour('dim', `${String(n + 1).padStart(6)}:`)} ${cut}${marked(text, spans)}`;
  });
  const more = moreOf(hit).map((words) => colour('dim', `         ${words}`));
  return [...(hit.type === 'block' ? headOfBlock(hit) : headOfMessage(hit)), ...lines, ...more];
}

function moreOf(hit: SearchHit): string[] {
  if (hit.hasMore) return ['more lines match'];
  return mayHaveMore(hit) ? ['the middle of this output was not searched: more lines may match'] : [];
}

/** True if lines of the block or message match that the hit lacks, or may match. */
export function mayHaveMore(hit: SearchHit): boolean {
  return hit.hasMore || (hit.type === 'block' && hit.isMiddleUnread === true);
}

function headOfBlock({ terminalId, id, atMs, cmd, cmdSpans, cwd, exitCode }: BlockHit): string[] {
  const failed = exitCode !== null && exitCode !== 0 ? [colour('red', `exit ${exitCode}`)] : [];
  const where = cwd === null ? [] : [escapeLine(shortPath(cwd))];
  const facts = [
    colour('dim', `${formatTime(atMs)}  ${terminalId}  ${id}`),
    ...where.map((text) => colour('dim', text)),
    ...failed,
  ];
  return [facts.join('  '), `$ ${cmd === null ? colour('dim', '(text not known)') : marked(cmd, cmdSpans)}`];
}

function headOfMessage({ terminalId, conversationId, atMs, kind, tool }: MessageHit): string[] {
  const speaker = tool === null ? kind : `${kind} ${escapeLine(tool)}`;
  // in the form that `hansard chat` accepts
  const place = terminalId === PAST_ID ? `${PAST_ID}/${conversationId}` : `${terminalId}  ${conversationId}`;
  return [`${colour('dim', `${formatTime(atMs)}  ${escapeLine(place)}`)}  ${speaker}`];
}

function marked(text: string, spans: readonly SearchSpan[]): string {
  let at = 0;
  let shown = '';
  for (const { start, end } of spans) {
    shown += escapeLine(text.slice(at, start)) + colour('green', escapeLine(text.slice(start, end)));
    at = end;
  }
  return shown + escapeLine(text.slice(at));
}

function shortPath(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
