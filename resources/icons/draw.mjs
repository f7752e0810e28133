// Draws the PNGs of icon.svg with a Chromium (CHROME_PATH, else the first one found). Run it after the drawing was changed.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findBrowser } from '../dev/browser.mjs';

const SIZES_PX = [16, 24, 32, 48, 64, 128, 256, 512, 1024];

const folder = fileURLToPath(new URL('.', import.meta.url));
const browser = await chromium.launch({
  executablePath: findBrowser() ?? undefined,
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage();
const svg = Buffer.from(readFileSync(`${folder}icon.svg`)).toString('base64');
for (const size of SIZES_PX) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>*{margin:0}img{display:block;width:${size}px;height:${size}px}</style><img src="data:image/svg+xml;base64,${svg}">`,
  );
  await page.locator('img').evaluate((image) => image.decode());
  await page.screenshot({ path: `${folder}${size}x${size}.png`, omitBackground: true });
}
await browser.close();
