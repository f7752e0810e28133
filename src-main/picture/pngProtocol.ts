/** A font of ours, as WOFF 1. */
export interface OwnFont {
  readonly woff: Uint8Array;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

/** Handed to the worker when it is started: it reads no file of the program itself, so it works from within an archive. */
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
