import type { createLowlight } from 'lowlight';
import type { CodeNode } from './codeNodes.ts';

type Lowlight = ReturnType<typeof createLowlight>;
/** Longer code stays plain: painting it would hold up the frame. */
const MOST_CHARS = 20_000;
/** Pieces of code whose trees are kept, for those that are scrolled back to. */
const KEPT = 200;
/** On a machine that is never idle colours come all the same. */
const LATEST_MS = 400;

/** Paints code by its language. The grammars come when the first piece of code is shown; until then, and without one, code is plain. */
export class CodePainter {
  static #only: CodePainter | undefined;
  #lowlight = $state.raw<Lowlight | null>(null);
  readonly #trees = new Map<string, CodeNode[]>();
  /** What waits for its colours, the first that came first. */
  readonly #waiting = new Set<() => void>();
  #isAsked = false;

  static shared(): CodePainter {
    CodePainter.#only ??= new CodePainter();
    return CodePainter.#only;
  }

  /** Null for code that stays plain. A language that the person's agent did not name is not guessed. */
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

  /** Runs `work` when the window is idle, one piece at a time. What it gives takes the work back. */
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

/** Not every browser tells when it is idle; a task of its own comes after a frame that waits. */
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
