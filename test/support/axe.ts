import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong within `selector`: each rule with its place. */
export async function axeFaults(page: Page, selector: string): Promise<string[]> {
  await page.evaluate(source); // past the page's policy, which forbids scripts of others
  return page.evaluate(async (within) => {
    const { axe: checker } = window as unknown as {
      axe: { run(context: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await checker.run(within);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, selector);
}
