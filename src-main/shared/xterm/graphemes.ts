// Before the add-on: it reads the head of its table from the start of a Buffer's memory, and a small Buffer of Node begins anywhere in
// memory that it shares with others. What another one left there decided whether the add-on failed ("Data error") or took other widths.
import './ownMemory.ts';
import * as addon from '@xterm/addon-unicode-graphemes';
import { shareMemory } from './ownMemory.ts';

shareMemory();

/** Node reads the package as CommonJS, a bundler as ECMAScript. */
const { default: graphemes = addon } = addon as typeof addon & { default?: typeof addon };

/** The widths of characters and what joins them, for an emulator of xterm. Nothing else imports the add-on's package. */
export const { UnicodeGraphemesAddon } = graphemes;
