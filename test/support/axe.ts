import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A menu or a tip over the page is no part of any of its regions. */
const FLOATS = '[data-bits-floating-content-wrapper]';

/** What axe-core finds wrong within `selector`: each rule with its place. */
export async function axeFaults(page: Page, selector: string): Promise<string[]> {
  await page.evaluate(source); // past the page's policy, which forbids scripts of others
  // What fades in has mixed colours until it is there.
  await page.evaluate(() => {
    const fades = document
      .getAnimations()
      .filter(({ effect }) => effect?.getTiming().iterations !== Number.POSITIVE_INFINITY);
    return Promise.allSettled(fades.map(({ finished }) => finished)).then(() => undefined);
  });
  return page.evaluate(
    async ({ within, floats }) => {
      const { axe: checker } = window as unknown as {
        axe: {
          run(context: object, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      };
      const found = [
        await checker.run({ include: within }, { rules: { region: { enabled: false } } }),
        await checker.run({ include: within, exclude: floats }, { runOnly: ['region'] }),
      ].flatMap(({ violations }) => violations);
      return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    },
    { within: selector, floats: FLOATS },
  );
}
