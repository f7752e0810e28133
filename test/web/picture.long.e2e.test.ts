import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPng } from '../support/readPng.ts';
import { readSvg } from '../support/readSvg.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import type { TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('the screen as a picture', () => {
  const served = new ServedWindow();
  let win: TerminalWindow;

  beforeAll(async () => {
    win = await served.start();
  });

  afterAll(async () => {
    await served.dispose();
  });

  async function saved(title: string): Promise<{ name: string; bytes: Buffer }> {
    const [download] = await Promise.all([win.page.waitForEvent('download'), win.act(title)]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  }

  test('is saved from the palette as a PNG, and as an SVG', async () => {
    await win.run("printf 'drawn \\e[44m    \\e[0m\\n'");
    const png = await saved('Save screen as PNG');
    expect(png.name).toMatch(/^t[\w-]+-screen\.png$/);
    const pixels = readPng(png.bytes);
    const svg = await saved('Save screen as SVG');
    expect(svg.name).toMatch(/^t[\w-]+-screen\.svg$/);
    const [root, ...drawn] = readSvg(svg.bytes.toString());
    expect(root?.attributes).toMatchObject({ width: String(pixels.width), height: String(pixels.height) });
    expect(drawn.filter(({ name }) => name === 'text').map(({ text }) => text)).toContain('drawn');
  });
});
