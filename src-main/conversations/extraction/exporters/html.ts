import type { ChatEvent, ChatLogged, ChatMessage } from '../../../contract/chat/chat.ts';
import { doubtWords, isFromLog, leadText } from '../../../contract/chat/leadText.ts';
import { planCount } from '../../../contract/chat/planWords.ts';
import { type ChatDocument, dividerOf, type IChatExporter, speakerOf, verdictOf } from './ChatDocument.ts';
import { factsOf, titleOf } from './facts.ts';
import { drawMarkdown, plainText } from './html/drawMarkdown.ts';
import { escapeHtml } from './html/escapeHtml.ts';
import { POLICY, STYLE } from './html/style.ts';
import { clockTime, dayOf, isoTime } from './times.ts';

/**
 * One self-contained page: it loads and runs nothing, and its content security policy forbids both. Messages add only text to it; all tags
 * and attributes are ours. Styled for the screen, light and dark, and for paper.
 */
export const html: IChatExporter = {
  name: 'html',
  description: 'a page to read and to print, in one file',
  extension: 'html',
  mediaType: 'text/html',
  write(document) {
    const title = escapeHtml(titleOf(document));
    const facts = factsOf(document).map((fact) => `<li>${escapeHtml(fact)}</li>`);
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<p class="kicker">Hansard</p>
<h1 dir="auto">${title}</h1>
<ul class="facts">${facts.join('')}</ul>
</header>
${drawPlan(document)}${drawLines(document)}
<footer>Recorded by Hansard. Exported on ${escapeHtml(dayOf(document.exportedMs, document.timeZone))}.</footer>
</main>
</body>
</html>
`;
  },
};

/** The plan as of its last change. */
function drawPlan({ conversation: { plan } }: ChatDocument): string {
  if (!plan) return '';
  const items = plan.items.map(({ text, state }) => `<li class="${state}" dir="auto">${escapeHtml(text)}</li>`);
  return `<section class="plan"><h2>Plan: ${escapeHtml(planCount(plan))}</h2><ol>${items.join('')}</ol></section>\n`;
}

function drawLines(document: ChatDocument): string {
  return document.lines
    .map((line, at) => ('kind' in line ? drawMessage(line, { document, anchor: `m${at}` }) : drawEvent(line, document)))
    .filter((drawn) => drawn !== '')
    .join('\n');
}

function drawEvent(event: ChatEvent, { timeZone }: ChatDocument): string {
  const divider = dividerOf(event);
  return divider === null ? '' : `<p class="divider">${escapeHtml(divider)} · ${clockTime(event.atMs, timeZone)}</p>`;
}

interface Place {
  document: ChatDocument;
  anchor: string;
}

function drawMessage(message: ChatMessage, place: Place): string {
  if (message.tool) return drawTool(message, place);
  const { kind, actor, verified } = message;
  const text = leadText(message);
  const doubt = doubtWords(message);
  const source = isFromLog(message) ? 'from the agent’s own log' : doubt;
  const marked = source === null ? '' : `<span class="doubt">${escapeHtml(source)}</span>`;
  const client = kind === 'user' && actor !== 'user' ? ' client' : '';
  const shape = kind === 'user' || kind === 'model' ? `${kind}${client}` : `remark ${kind}`;
  const speaker = escapeHtml(speakerOf(message, place.document.conversation));
  const verdict = verdictOf(message);
  const answered = verdict === null ? '' : `<p class="verdict">${escapeHtml(verdict)}</p>`;
  const mark = verified ? '<span class="verified" title="The agent’s own log has the same">✓</span>' : '';
  return `<article class="${shape}" id="${place.anchor}">
<h2><span dir="auto">${speaker}</span>${mark}${marked}${drawTime(message, place)}</h2>
<div class="words" dir="auto">${kind === 'model' ? drawMarkdown(text) : plainText(text)}</div>${answered}${drawSources(message)}
</article>`;
}

function drawTime({ startedMs }: ChatMessage, { document, anchor }: Place): string {
  return `<a class="time" href="#${anchor}"><time datetime="${isoTime(startedMs)}">${clockTime(startedMs, document.timeZone)}</time></a>`;
}

function drawTool(message: ChatMessage, place: Place): string {
  const { name, input = '', output = '', status } = message.tool ?? { name: '' };
  // If the tool's parts are known, the text only repeats them as the screen shows them.
  const body = output || (input === '' ? message.text : '');
  const printed = body === '' ? '' : drawOutput(body);
  const state = status === undefined || status === 'done' ? '' : `<span class="status">${status}</span>`;
  return `<details class="tool ${status ?? ''}" id="${place.anchor}" open>
<summary><span class="name">${escapeHtml(name)}</span><span class="input" dir="ltr">${escapeHtml(input)}</span>${state}${drawTime(message, place)}</summary>
${printed}${drawLog(message.log)}
</details>`;
}

/** A parser drops a line end directly after the tag: the added one, not the text's. */
function drawOutput(text: string): string {
  return `<pre class="output" dir="ltr">\n${escapeHtml(text)}</pre>`;
}

/** The screen's text if the log's text is shown first, and the other parts of the log. */
function drawSources(message: ChatMessage): string {
  if (!isFromLog(message)) return drawLog(message.log);
  const { text: _, ...rest } = message.log ?? {};
  return `<details class="log"><summary>On the screen</summary>${drawOutput(message.text)}</details>${drawLog(rest)}`;
}

function drawLog(log: ChatLogged | undefined): string {
  const parts = Object.entries(log ?? {}).flatMap(([part, text]) =>
    typeof text === 'string' ? [`<p>${part}</p>${drawOutput(text)}`] : [],
  );
  return parts.length === 0
    ? ''
    : `<details class="log"><summary>In the agent’s own log</summary>${parts.join('')}</details>`;
}
