import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Menus and tooltips float above the page, outside its regions. */
const FLOATS = '[data-bits-floating-content-wrapper]';

/** Violations that axe-core finds within `selector`, as "rule: HTML of the element". */
export async function axeFaults(page: Page, selector: string): Promise<string[]> {
  await page.evaluate(source); // bypasses the page's CSP, which forbids other scripts
  // Colours are mixed while an element fades in, so wait for finite animations.
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
