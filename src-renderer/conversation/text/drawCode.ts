import type { Attachment } from 'svelte/attachments';
import { splitHidden } from '../../app/hiddenChars.ts';
import { hiddenMark } from '../../cards/output/drawLine.ts';
import type { CodeNode } from './codeNodes.ts';

/** Puts highlighted code into an element: a thousand spans of one listing are too many for components. Text only, never markup. */
export function drawCode(nodes: readonly CodeNode[]): Attachment<HTMLElement> {
  return (element) => {
    element.replaceChildren(...nodes.flatMap(nodesOf));
  };
}

/** Returns the highlighted code as nodes, for a caller that places them between others. */
export function nodesOf(node: CodeNode): Node[] {
  if (node.type === 'text') {
    return splitHidden(node.value).map(({ text, hidden }) =>
      hidden === undefined ? document.createTextNode(text) : hiddenMark(hidden),
    );
  }
  const span = document.createElement('span');
  if (node.className !== '') span.className = node.className;
  span.append(...node.children.flatMap(nodesOf));
  return [span];
}
