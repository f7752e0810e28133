import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ROOT } from '../support/sourceFiles.ts';
import { type DocStep, Example, readSteps } from './docsExample.ts';
import { call, refusal } from './mcpClient.ts';
import { runIn } from './runIn.ts';
import { ServedMcp } from './ServedMcp.ts';

const DOCS = join(ROOT, 'docs/mcp');
const pages = readdirSync(DOCS).filter((name) => name.endsWith('.md') && name !== 'README.md');

/** The terminal of a page and all that its steps need. */
interface Stage {
  readonly served: Awaited<ReturnType<ServedMcp['start']>>;
  readonly home: string;
  readonly folder: string;
  readonly example: Example;
}

let served: ServedMcp | null = null;
let folder = '';

afterEach(async () => {
  await served?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

describe('the examples of docs/mcp', () => {
  test.each(pages)('%s: every call answers as the page says', async (page) => {
    const steps = readSteps(readFileSync(join(DOCS, page), 'utf8'));
    expect(steps.filter(({ kind }) => kind === 'call').length).toBeGreaterThan(2);
    served = new ServedMcp();
    folder = mkdtempSync(join(tmpdir(), 'hansard-docs-'));
    const started = await served.start({ cols: 80, rows: 24 });
    const stage = { served: started, home: served.app.home, folder, example: new Example({ pty: started.id }) };
    await runIn(started.link.api, started.id, `cd ${folder}`);
    for (const step of steps) await take(step, stage);
    expect(stage.example.unanswered).toBeNull();
  });

  test('an answer that the core does not give is noticed', () => {
    const example = new Example({ pty: 't1' });
    const real = { pty_id: 't1', n: 7, deep: [{ text: 'one two three', is: true }] };
    expect(() =>
      example.compare({ pty_id: '$pty', n: 7, deep: [{ text: 'one…three', is: true }] }, real),
    ).not.toThrow();
    for (const wrong of [
      { pty_id: '$pty', gone: 1 },
      { pty_id: 't2' },
      { n: 8 },
      { deep: [{ is: false }] },
      { deep: [{ text: 'two…one' }] },
      { deep: [{}, {}] },
    ])
      expect(() => example.compare(wrong, real), JSON.stringify(wrong)).toThrow();
  });
});

async function take(step: DocStep, { served: { link, mcp, id }, home, folder: cwd, example }: Stage): Promise<void> {
  switch (step.kind) {
    case 'policy':
      return writeFileSync(join(home, 'policy.json'), step.text, { mode: 0o600 });
    case 'file':
      return writeFileSync(join(cwd, step.name), step.text);
    case 'run':
      return void (await runIn(link.api, id, step.text.trim()));
    case 'person':
      return submit(link.api, id, step.text.trim());
    case 'keys':
      return void (await link.api.terminal.write.mutate({ id, data: step.text.trim() }));
    case 'call': {
      const { tool, args } = example.called(step.text);
      const isRefused = step.answer === 'error';
      const ask = () => (isRefused ? refusal : call)(mcp.client, tool, args);
      await expect
        .poll(async () => {
          const real = await ask();
          example.answered(real);
          return 'indexing' in real;
        })
        .toBe(false);
      return;
    }
    case 'answer':
      return example.check(step.text);
  }
}

/** Submits a command at the prompt, as a person does, without waiting for its end. */
async function submit(api: Stage['served']['link']['api'], id: string, text: string): Promise<void> {
  await expect.poll(async () => (await api.terminal.submit.mutate({ id, text })).ok).toBe(true);
}
