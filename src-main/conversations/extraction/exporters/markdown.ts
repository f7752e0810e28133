import type { ChatLine, ChatLogged, ChatMessage, ChatTool } from '../../../contract/chat/chat.ts';
import { doubtWords, isFromLog, leadText } from '../../../contract/chat/leadText.ts';
import { planCount } from '../../../contract/chat/planWords.ts';
import type { PlanItem } from '../../../contract/chat/progress.ts';
import { type ChatDocument, dividerOf, type IChatExporter, speakerOf, verdictOf } from './ChatDocument.ts';
import { factsOf, titleOf } from './facts.ts';
import { contained } from './markdown/contained.ts';
import { fenced } from './markdown/fence.ts';
import { inlineMarkdown, literalMarkdown } from './markdown/literal.ts';
import { quietMarkdown } from './markdown/quietMarkdown.ts';
import { shownText } from './shownText.ts';
import { clockTime } from './times.ts';

/**
 * Writes a heading for each speaker, and below it the message: the agent's Markdown unchanged (without HTML and pictures), the person's
 * words literally, and the output of tools and the screen in fences. Markdown is quoted only if it could pass for a speaker or swallow the
 * next one.
 */
export const markdown: IChatExporter = {
  name: 'md',
  description: 'Markdown',
  extension: 'md',
  mediaType: 'text/markdown',
  write(document) {
    const parts = [
      `# ${inline(titleOf(document))}`,
      factsOf(document).map(inline).join(' · '),
      ...planMarkdown(document.conversation),
      ...withOutputs(document.lines).flatMap((line) => {
        if ('kind' in line) return messageMarkdown(line, document);
        const divider = dividerOf(line);
        return divider === null ? [] : [`---\n\n*${inline(divider)} · ${clockTime(line.atMs, document.timeZone)}*`];
      }),
    ];
    return `${parts.join('\n\n')}\n`;
  },
};

/** The plan as of its last change, as a task list. */
function planMarkdown({ plan }: ChatDocument['conversation']): string[] {
  if (!plan) return [];
  const items = plan.items.map(
    ({ text, state }) => `- ${state === 'done' ? '[x]' : '[ ]'} ${ITEMS[state](inline(text))}`,
  );
  return [`## Plan: ${planCount(plan)}`, items.join('\n')];
}

const ITEMS: Readonly<Record<PlanItem['state'], (text: string) => string>> = {
  open: (text) => text,
  done: (text) => text,
  active: (text) => `**${text}**`,
  dropped: (text) => `~~${text}~~`,
};

function inline(text: string): string {
  return inlineMarkdown(shownText(text));
}

function messageMarkdown(message: ChatMessage, { conversation, timeZone }: ChatDocument): string[] {
  const head = `### ${inline(speakerOf(message, conversation))} · ${clockTime(message.startedMs, timeZone)}`;
  const verdict = verdictOf(message);
  const answered =
    verdict === null
      ? []
      : [`**${inline(verdict)}** · ${clockTime(message.question?.verdict?.atMs ?? message.updatedMs, timeZone)}`];
  const doubt = doubtWords(message);
  const marks = [
    ...(doubt === null ? [] : [`*${doubt}*`]),
    ...(isFromLog(message) ? ['*From the agent’s own log:*'] : []),
  ];
  const body = bodyOf({ ...message, text: leadText(message) });
  return [head, ...marks, ...body, ...answered, ...sourcesMarkdown(message)];
}

function bodyOf({ kind, text, tool }: ChatMessage): string[] {
  const shown = shownText(text);
  if (kind === 'user') return shown === '' ? [] : [contained(literalMarkdown(shown))];
  if (kind === 'model') return shown === '' ? [] : [contained(quietMarkdown(shown) ?? fenced(shown, 'text'))];
  if (tool && kind !== 'permission') return toolMarkdown(tool, shown);
  return shown === '' ? [] : [fenced(shown, 'text')];
}

function toolMarkdown({ name, input = '', output = '', status }: ChatTool, text: string): string[] {
  const title = `**${inline(name)}**${status === undefined ? '' : ` · ${status}`}`;
  const told = output === '' ? [] : ['*Output, from the screen:*', fenced(shownText(output), 'text')];
  if (input !== '') return [title, fenced(shownText(input), 'text'), ...told];
  // If the tool's parts are known, the text only repeats them as the screen shows them.
  return [title, ...(text === '' || output !== '' ? [] : [fenced(text, 'text')]), ...told];
}

/** Moves each tool's result to its call. */
function withOutputs(lines: readonly ChatLine[]): ChatLine[] {
  const out: ChatLine[] = [];
  let call = -1;
  for (const line of lines) {
    const kind = 'kind' in line ? line.kind : null;
    const open = out[call];
    if (kind === 'toolResult' && 'kind' in line && open && 'kind' in open && open.tool && !hasOutput(open)) {
      out[call] = { ...open, tool: { ...open.tool, output: line.text }, ...(line.hasGap && { hasGap: true }) };
      call = -1;
      continue;
    }
    if (kind === 'toolCall') call = out.length;
    // A permission prompt and its answer may be between a call and its result; a prompt, an answer or a command ends the search.
    if (kind === 'user' || kind === 'model' || kind === 'command') call = -1;
    out.push(line);
  }
  return out;
}

function hasOutput({ tool, doubtful, log }: ChatMessage): boolean {
  return tool?.output !== undefined || log?.output !== undefined || doubtful !== undefined;
}

/** The screen's text if the log's text is shown first, and the other parts of the log. */
function sourcesMarkdown(message: ChatMessage): string[] {
  const { text: _, ...rest } = message.log ?? {};
  const onScreen = isFromLog(message) ? ['*On the screen:*', fenced(shownText(message.text), 'text')] : [];
  return [...onScreen, ...logMarkdown(onScreen.length > 0 ? rest : (message.log ?? {}))];
}

const LOGGED: Readonly<Record<string, string>> = { text: 'Text', input: 'Input', output: 'Output' };

function logMarkdown(log: ChatLogged): string[] {
  return Object.entries(log).flatMap(([part, text]) =>
    typeof text === 'string'
      ? [`*${LOGGED[part] ?? part}, from the agent’s own log:*`, fenced(shownText(text), 'text')]
      : [],
  );
}
