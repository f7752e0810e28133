import type { ControlToken } from './ControlTokens.ts';

/** Finals of CSI sequences that query the terminal or move its window, by prefix and intermediate byte. */
const CSI_QUERIES: Readonly<Record<string, string>> = {
  '': 'cntx', // DA1, DSR and CPR, window operations, DECREQTPARM
  '?': 'nuSm', // DSR, kitty keyboard, graphics limits, modifier keys
  '>': 'cq', // DA2, XTVERSION
  '=': 'c', // DA3
  $: 'puw', // DECRQM of ANSI modes, DECRQTSR, DECRQPSR
  '?$': 'p', // DECRQM of DEC modes
  '*': 'y', // DECRQCRA
  '"': 'v', // DECRQDE
  '&': 'u', // DECRQUPSS
  "'": '|', // DECRQLP
};
const CSI_PARTS = /^(?:\x1b\[|\xc2\x9b)([?<=>]?)[0-9;:]*([ -/]?)[ -/]*([@-~])$/;
/** A querying OSC has a field that is only a question mark; iTerm's queries have names. These OSCs may have such a field as text. */
const OSC_TEXTS = /^(?:0|1|2|7|8|9|133|633|777|7717);/;
const OSC_QUERY = /(?:^|;)\?(?:;|$)|^1337;(?:Report|Request)|^(?:60|61|99)(?:;|$).*(?:\?|^)/;
const DCS_QUERY = /^(?:\x1bP|\xc2\x90)[0-9;]*[$+]q/;
/** Queries support for kitty's graphics. */
const KITTY_QUERY = /^(?:\x1b_|\xc2\x9f)G(?:[^;]*,)?\s*a=q(?:[,;\x1b]|$)/;

/**
 * Whether the program queries the terminal, or requests an act that only the terminal on display may do: the answer or act of a second terminal would
 * reach the program as typed garbage. Setting titles, the clipboard or colours is not a query.
 */
export function isQuery({ kind, bytes }: ControlToken): boolean {
  if (kind === 'csi') return isCsiQuery(latin1(bytes));
  if (kind === 'esc') return isEscQuery(latin1(bytes));
  if (kind === 'osc') return isOscQuery(oscBody(bytes));
  if (kind !== 'string') return false;
  const start = latin1(bytes.subarray(0, 256));
  return DCS_QUERY.test(start) || KITTY_QUERY.test(start);
}

/** A command of kitty's graphics; a terminal answers most of them. */
export function isKittyImage({ kind, bytes }: ControlToken): boolean {
  return kind === 'string' && bytes[1] === 0x5f && bytes[2] === 0x47; // ESC _ G
}

/** The bytes between the introducer and the terminator, as Latin-1. */
export function oscBody(bytes: Uint8Array): string {
  return latin1(bytes)
    .slice(2)
    .replace(/(?:\x07|\x1b\\|\xc2\x9c)$/, '');
}

function isCsiQuery(sequence: string): boolean {
  const [, prefix = '', intermediate = '', final = ''] =
    CSI_PARTS.exec(sequence.replaceAll(/[\0-\x1a\x1c-\x1f\x7f]/g, '')) ?? [];
  return final !== '' && (CSI_QUERIES[prefix + intermediate] ?? '').includes(final);
}

/** DECID, the predecessor of DA1; also as C1. */
function isEscQuery(sequence: string): boolean {
  return sequence.at(-1) === 'Z' || sequence === '\xc2\x9a';
}

function isOscQuery(body: string): boolean {
  return !OSC_TEXTS.test(body) && OSC_QUERY.test(body);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
