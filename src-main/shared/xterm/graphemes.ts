// Must come before the add-on: it reads the head of its table from the start of a Buffer's memory, but a small Buffer of Node may begin anywhere
// in shared memory. Leftover data there decided whether the add-on failed ("Data error") or used wrong widths.
import './ownMemory.ts';
import * as addon from '@xterm/addon-unicode-graphemes';
import { shareMemory } from './ownMemory.ts';

shareMemory();

/** Node reads the package as CommonJS, a bundler as an ECMAScript module. */
const { default: graphemes = addon } = addon as typeof addon & { default?: typeof addon };

/** Widths of characters and rules for joining them, for xterm emulators. Only this file imports the add-on's package. */
export const { UnicodeGraphemesAddon } = graphemes;
