// Draws the PNGs of icon.svg with a Chromium (CHROME_PATH, else the first one found). Run it after the drawing was changed.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findBrowser } from '../dev/browser.mjs';

const SIZES_PX = [16, 24, 32, 48, 64, 128, 256, 512, 1024];

const folder = fileURLToPath(new URL('.', import.meta.url));
/** Of the web app; its manifest names them. */
const webFolder = fileURLToPath(new URL('../../src-renderer/public/', import.meta.url));
const browser = await chromium.launch({
  executablePath: findBrowser() ?? undefined,
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage();
const svg = readFileSync(`${folder}icon.svg`, 'utf8');
for (const size of SIZES_PX) await draw(svg, size, `${folder}${size}x${size}.png`);
for (const size of [192, 512]) await draw(svg, size, `${webFolder}icon-${size}.png`);
// A system cuts these to its own shape: the ground goes to the edges, and the letter stays inside of the circle that is always shown.
const whole = svg
  .replace(/<rect x="24"[^>]*\/>\s*<rect\s[^>]*\/>/, '<rect width="512" height="512" fill="url(#ink)" />')
  .replace(
    /<g fill[\s\S]*<\/svg>/,
    (drawing) => `<g transform="translate(36 36) scale(.86)">${drawing.replace('</svg>', '</g></svg>')}`,
  );
await draw(whole, 512, `${webFolder}icon-maskable-512.png`);
await draw(whole, 180, `${webFolder}apple-touch-icon.png`);
await browser.close();

async function draw(drawing, size, path) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>*{margin:0}img{display:block;width:${size}px;height:${size}px}</style><img src="data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}">`,
  );
  await page.locator('img').evaluate((image) => image.decode());
  await page.screenshot({ path, omitBackground: true });
}
