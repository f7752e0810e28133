import { writeFileSync } from 'node:fs';
import { drawDemo } from './drawDemo.ts';
import { drawWindow } from './drawWindow.ts';

const MAX_DEMO_BYTES = 400_000;
const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const fileOf = (name: string): URL => new URL(`../../../docs/images/${name}`, import.meta.url);

if (isWanted('demo')) {
  const svg = drawDemo();
  if (svg.length > MAX_DEMO_BYTES) throw new Error(`demo.svg has ${svg.length} bytes, more than ${MAX_DEMO_BYTES}`);
  writeFileSync(fileOf('demo.svg'), svg);
}
const scenes = ['cards', 'conversation', 'search', 'approval'].filter(isWanted);
if (scenes.length > 0) for (const [name, png] of await drawWindow(scenes)) writeFileSync(fileOf(`${name}.png`), png);
