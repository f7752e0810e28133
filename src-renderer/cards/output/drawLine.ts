import type { Palette } from '../../../src-main/contract/screen/palette.ts';
import { formatCount } from '../../app/formatWords.ts';
import { splitHidden } from '../../app/hiddenChars.ts';
import { type DirectedPart, directedParts, hasRtl, rtlCells } from '../../app/rtlWords.ts';
import { strings } from '../../app/strings.ts';
import { linkTip } from './clickOutput.ts';
import type { DrawnLine, LinePiece } from './linePieces.ts';
import { spanStyle } from './spanStyle.ts';

/**
 * Fills `element` with a line of output. Built by hand instead of a template, because every space counts and a screen of log lines has thousands of
 * spans. Text is added as text nodes only.
 */
export function drawLine(element: HTMLElement, drawn: DrawnLine, palette: Palette): void {
  const nodes = drawn.pieces.map((piece) => pieceNode(piece, palette));
  if (drawn.cutChars > 0) nodes.push(span('cut', strings.cards.output.cut(formatCount(drawn.cutChars))));
  // An empty line is a row too, also when it is copied.
  if (nodes.length === 0) nodes.push(document.createElement('br'));
  element.replaceChildren(...nodes);
}

function pieceNode(piece: LinePiece, palette: Palette): Node {
  if (piece.hidden !== undefined) return hiddenMark(piece.hidden);
  const style = spanStyle(piece.span, palette);
  const isPlain = style === '' && !piece.link && !piece.mark;
  const only = piece.runs.length === 1 ? piece.runs[0] : undefined;
  if (isPlain && only?.box === 0 && !hasRtl(only.text)) return document.createTextNode(only.text);
  const node = span([piece.mark, piece.link && 'link', piece.span.inverse && 'inverse'].filter(Boolean).join(' '));
  // A mark's own colours must win over the program's.
  if (style !== '' && !piece.mark) node.style.cssText = style;
  for (const run of piece.runs) {
    if (run.box === 0) node.append(...directed(run.text));
    else node.append(span(run.box === 2 ? 'cell wide' : 'cell', run.text));
  }
  if (piece.link) {
    const { kind, target, shown } = piece.link;
    Object.assign(node.dataset, { link: target, kind, shown: String(shown) });
    node.title = linkTip(piece.link);
  }
  return node;
}

/**
 * Keeps right-to-left words in their cells: only the letters of a word, and adjacent words, run from right to left. Each word is as wide as in the
 * terminal, whatever font its letters come from.
 */
function directed(text: string): (Node | string)[] {
  return directedParts(text, 'prose').map(({ text: part, isRtl }) => {
    if (!isRtl) return part;
    const node = span('rtl');
    for (const word of part.split(/( )/)) {
      const box = word === ' ' ? word : span('rtl-word', word);
      if (typeof box !== 'string') box.style.width = `${rtlCells(word)}ch`;
      node.append(box);
    }
    return node;
  });
}

function drawPart({ text, isRtl }: DirectedPart): Node {
  return isRtl ? span('rtl', text) : document.createTextNode(text);
}

/** Fills `element` with a command; names its hidden characters. */
export function drawCommand(element: HTMLElement, text: string): void {
  const parts = splitHidden(text).flatMap((part) =>
    part.hidden === undefined ? directedParts(part.text, 'command').map(drawPart) : [hiddenMark(part.hidden)],
  );
  element.replaceChildren(...parts);
}

/** A visible name in place of invisible characters. */
export function hiddenMark(name: string): HTMLSpanElement {
  const mark = span('hidden-char', name);
  mark.title = strings.app.invisibleCharacter;
  return mark;
}

function span(className: string, text = ''): HTMLSpanElement {
  const node = document.createElement('span');
  if (className !== '') node.className = className;
  if (text !== '') node.textContent = text;
  return node;
}
