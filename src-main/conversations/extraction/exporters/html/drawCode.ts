import { common, createLowlight } from 'lowlight';
import { escapeHtml } from './escapeHtml.ts';

type Root = ReturnType<ReturnType<typeof createLowlight>['highlight']>;
type Node = Root['children'][number];

const lowlight = createLowlight(common);
/** Longer code is not highlighted, because people do not read it in one piece. */
const MOST_CHARS = 64 * 1024;

/** Code as the content of a `code` element, highlighted if its language is known. */
export function drawCode(code: string, language: string): string {
  const name = /^[\w+#-]{1,32}/.exec(language)?.[0]?.toLowerCase() ?? '';
  if (code.length > MOST_CHARS || !lowlight.registered(name)) return escapeHtml(code);
  return lowlight.highlight(name, code).children.map(drawNode).join('');
}

function drawNode(node: Node): string {
  if (node.type === 'text') return escapeHtml(node.value);
  if (node.type !== 'element') return '';
  const { className } = node.properties;
  const names = Array.isArray(className) ? className.join(' ') : '';
  return `<span class="${escapeHtml(names)}">${node.children.map(drawNode).join('')}</span>`;
}
