/** One of our fonts, as WOFF 1. */
export interface OwnFont {
  readonly woff: Uint8Array;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** Passed to the worker at its start: it reads none of the program's files itself, so that it works inside an archive. */
export interface PngStart {
  readonly wasm: Uint8Array;
  readonly fonts: readonly OwnFont[];
}

export interface ToPng {
  readonly call: number;
  readonly svg: string;
}

export type FromPng =
  | { readonly call: number; readonly png: Uint8Array }
  | { readonly call: number; readonly problem: string };
