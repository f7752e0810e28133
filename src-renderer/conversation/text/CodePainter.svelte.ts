import type { createLowlight } from 'lowlight';
import type { CodeNode } from './codeNodes.ts';

type Lowlight = ReturnType<typeof createLowlight>;
/** Longer code stays plain, because highlighting it would delay the frame. */
const MOST_CHARS = 20_000;
/** Most highlighted trees that are kept, for code that the reader scrolls back to. */
const KEPT = 200;
/** On a machine that is never idle, the colours come after this time. */
const LATEST_MS = 400;

/** Highlights code by its language. The grammars load when the first code is shown; until then, and without a grammar, code is plain. */
export class CodePainter {
  static #only: CodePainter | undefined;
  #lowlight = $state.raw<Lowlight | null>(null);
  readonly #trees = new Map<string, CodeNode[]>();
  /** Callbacks that wait for an idle window, first in, first out. */
  readonly #waiting = new Set<() => void>();
  #isAsked = false;

  static shared(): CodePainter {
    CodePainter.#only ??= new CodePainter();
    return CodePainter.#only;
  }

  /** Null if the code stays plain. A language that the agent did not name is not guessed. */
  paint(code: string, language: string): CodeNode[] | null {
    if (language === '' || code.length > MOST_CHARS) return null;
    this.#load();
    const lowlight = this.#lowlight;
    if (!lowlight?.registered(language)) return null;
    const key = `${language}\n${code}`;
    const known = this.#trees.get(key);
    if (known) return known;
    const tree = simplify(lowlight.highlight(language, code).children);
    if (this.#trees.size >= KEPT) this.#trees.delete(this.#trees.keys().next().value ?? '');
    this.#trees.set(key, tree);
    return tree;
  }

  /** Runs `work` when the window is idle, one callback at a time. Returns a function that cancels it. */
  whenIdle(work: () => void): () => void {
    if (this.#waiting.size === 0) onIdle(() => this.#next());
    this.#waiting.add(work);
    return () => this.#waiting.delete(work);
  }

  #next(): void {
    const [work] = this.#waiting;
    if (!work) return;
    this.#waiting.delete(work);
    work();
    if (this.#waiting.size > 0) onIdle(() => this.#next());
  }

  #load(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    void import('lowlight').then(({ common, createLowlight }) => {
      this.#lowlight = createLowlight(common);
    });
  }
}

/** Not every browser has requestIdleCallback; a task of its own runs after a pending frame. */
function onIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: LATEST_MS });
  else setTimeout(work, LATEST_MS);
}

type Tree = ReturnType<Lowlight['highlight']>;

function simplify(nodes: Tree['children']): CodeNode[] {
  return nodes.flatMap((node): CodeNode[] => {
    if (node.type === 'text') return [{ type: 'text', value: node.value }];
    if (node.type !== 'element') return [];
    const { className } = node.properties;
    const name = Array.isArray(className) ? className.join(' ') : '';
    return [{ type: 'element', className: name, children: simplify(node.children) }];
  });
}
