import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './sourceFiles.ts';

/** An element of a parsed SVG, with its absolute position. */
export interface Drawn {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text of the element itself, without its children. */
  readonly text: string;
  /** Sum of `transform="translate(x y)"` of its ancestors and its own. */
  readonly left: number;
  readonly top: number;
}

interface Node {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly childNodes?: { readonly length: number; item(at: number): Node };
  readonly attributes?: { readonly length: number; item(at: number): { name: string; value: string } };
}

interface Parser {
  parseFromString(text: string, type: string): { readonly documentElement: Node };
}

/** The XML parser that the packager depends on. */
const { DOMParser } = createRequire(join(ROOT, 'node_modules/plist/package.json'))('@xmldom/xmldom') as {
  DOMParser: new (options: object) => Parser;
};

/** All elements of an SVG in document order. Throws if it is not well-formed. */
export function readSvg(svg: string): Drawn[] {
  const fail = (...said: unknown[]): never => {
    throw new Error(said.join(' '));
  };
  const parser = new DOMParser({ onError: fail, errorHandler: { warning: fail, error: fail, fatalError: fail } });
  const found: Drawn[] = [];
  walk(parser.parseFromString(svg, 'text/xml').documentElement, { left: 0, top: 0 }, found);
  return found;
}

function walk(node: Node, around: { left: number; top: number }, found: Drawn[]): void {
  const attributes: Record<string, string> = {};
  for (let at = 0; at < (node.attributes?.length ?? 0); at += 1) {
    const one = node.attributes?.item(at);
    if (one) attributes[one.name] = one.value;
  }
  const [, x = '0', y = '0'] = /^translate\((\S+) (\S+)\)$/.exec(attributes.transform ?? '') ?? [];
  const place = { left: around.left + Number(x), top: around.top + Number(y) };
  const children = Array.from({ length: node.childNodes?.length ?? 0 }, (_, at) => node.childNodes?.item(at));
  const text = children.map((child) => (child?.nodeType === 3 ? (child.nodeValue ?? '') : '')).join('');
  found.push({ name: node.nodeName, attributes, text, ...place });
  for (const child of children) if (child?.nodeType === 1) walk(child, place, found);
}
