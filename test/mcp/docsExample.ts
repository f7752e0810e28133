import { expect } from 'vitest';

/** `run`: the person runs it to its end. `person`: it still runs during the next steps. */
const PLAIN = ['policy', 'run', 'person', 'keys', 'answer'] as const;

/** One fenced block of a page that the test executes or compares. */
export type DocStep =
  | { kind: (typeof PLAIN)[number]; text: string }
  | { kind: 'file'; name: string; text: string }
  | { kind: 'call'; text: string; answer: 'answer' | 'error' };

const FENCE = /^```(\w+) (\S+)\n([\s\S]*?)^```$/gm;

/** The steps of a page in order. Throws for an unknown kind of fence. */
export function readSteps(markdown: string): DocStep[] {
  const fences = [...markdown.matchAll(FENCE)].map(([, , kind = '', text = '']) => ({ kind, text }));
  return fences.map(({ kind, text }, at): DocStep => {
    if (kind.startsWith('file=')) return { kind: 'file', name: kind.slice('file='.length), text };
    if (kind === 'call') return { kind, text, answer: fences[at + 1]?.kind === 'error' ? 'error' : 'answer' };
    if (kind === 'error') return { kind: 'answer', text };
    if (isPlain(kind)) return { kind, text };
    throw new Error(`a page has a fence of the unknown kind "${kind}"`);
  });
}

function isPlain(kind: string): kind is (typeof PLAIN)[number] {
  return PLAIN.some((one) => one === kind);
}

/** Compares a page's answers with the core's, and keeps the names that they bind. */
export class Example {
  readonly #bound = new Map<string, unknown>();
  #real: unknown = null;
  unanswered: string | null = null;

  constructor(named: Readonly<Record<string, unknown>>) {
    for (const [name, value] of Object.entries(named)) this.#bound.set(name, value);
  }

  called(text: string): { tool: string; args: Record<string, unknown> } {
    if (this.unanswered !== null) throw new Error(`the page shows no answer to ${this.unanswered}`);
    this.unanswered = text;
    const { tool, arguments: args } = JSON.parse(text) as { tool: string; arguments: Record<string, unknown> };
    return { tool, args: this.#filled(args) as Record<string, unknown> };
  }

  answered(real: unknown): void {
    this.#real = real;
  }

  check(text: string): void {
    this.unanswered = null;
    this.compare(JSON.parse(text), this.#real);
  }

  /** The real answer may have keys that the page omits. `…` matches any text; `$name` binds a value or compares it with the bound one. */
  compare(shown: unknown, real: unknown, path = ''): void {
    const where = `${path || 'the answer'} in ${JSON.stringify(this.#real ?? real).slice(0, 4000)}`;
    if (typeof shown === 'string') return this.#compareText(shown, real, where);
    if (typeof shown !== 'object' || shown === null) return expect(real, where).toBe(shown);
    expect(Array.isArray(real), where).toBe(Array.isArray(shown));
    for (const [key, value] of Object.entries(shown)) {
      const within = (real as Record<string, unknown> | null)?.[key];
      expect(within, `${path}.${key} of ${where}`).toBeDefined();
      this.compare(value, within, `${path}.${key}`);
    }
  }

  #compareText(shown: string, real: unknown, where: string): void {
    const [, name] = /^\$(\w+)$/.exec(shown) ?? [];
    if (name !== undefined && !this.#bound.has(name)) {
      this.#bound.set(name, real);
      return;
    }
    if (name !== undefined) return expect(real, where).toEqual(this.#bound.get(name));
    if (!shown.includes('…')) return expect(real, where).toBe(shown);
    expect(typeof real, where).toBe('string');
    const pieces = shown.split('…').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    expect(real, where).toMatch(new RegExp(`^${pieces.join('[\\s\\S]*')}$`));
  }

  /** Replaces values that are exactly `$name` by the bound value; `$` has no meaning elsewhere. */
  #filled(value: unknown): unknown {
    if (typeof value === 'string') {
      const [, name] = /^\$(\w+)$/.exec(value) ?? [];
      if (name === undefined) return value;
      if (!this.#bound.has(name)) throw new Error(`the page uses $${name} before an answer names it`);
      return this.#bound.get(name);
    }
    if (Array.isArray(value)) return value.map((one) => this.#filled(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#filled(one)]));
  }
}
