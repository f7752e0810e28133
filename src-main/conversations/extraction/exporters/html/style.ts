import { createHash } from 'node:crypto';

/** Fonts that a reader may have; no font is loaded. */
const FACES = `
  --serif: "IBM Plex Serif", Charter, "Bitstream Charter", "Iowan Old Style", "Source Serif 4", Georgia, "Noto Serif", serif;
  --sans: "IBM Plex Sans", system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
  --mono: "IBM Plex Mono", ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;`;

const PAPER = `
  --background: #faf8f2; --chrome: #f1eee5; --hairline: rgb(45 38 20 / 12%); --strong: rgb(45 38 20 / 22%);
  --text: #26241f; --text-2: #6a665c; --text-3: #6c675e;
  --green: #0f6b47; --red: #a93a31; --amber: #946500; --blue: #23609b; --violet: #84407f; --wash: rgb(148 101 0 / 9%);`;

const INK = `
  --background: #14161a; --chrome: #1d2126; --hairline: rgb(255 255 255 / 9%); --strong: rgb(255 255 255 / 18%);
  --text: #e8e4db; --text-2: #a8a398; --text-3: #8f8a81;
  --green: #5fbb8d; --red: #e0695f; --amber: #dfae55; --blue: #86b3dd; --violet: #c594c9; --wash: rgb(223 174 85 / 10%);`;

const PAGE = `
* { box-sizing: border-box; }
html { background: var(--background); color: var(--text); font: 17px/1.58 var(--serif); text-size-adjust: 100%; }
body { margin: 0; padding: 56px 24px 96px; overflow-wrap: anywhere; }
main { max-width: 42rem; margin: 0 auto; }
a { color: var(--blue); text-decoration-thickness: 1px; text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--green); outline-offset: 2px; border-radius: 3px; }
header { padding-bottom: 20px; border-bottom: 1px solid var(--strong); }
.kicker { margin: 0 0 12px; font: 600 10.5px/1.4 var(--sans); letter-spacing: 0.16em; text-transform: uppercase; color: var(--green); }
h1 { margin: 0 0 12px; font: 600 30px/1.22 var(--serif); letter-spacing: -0.008em; text-wrap: balance; }
.facts { display: flex; flex-wrap: wrap; gap: 2px 0; margin: 0; padding: 0; list-style: none; font: 12.5px/1.6 var(--sans); color: var(--text-2); font-variant-numeric: tabular-nums; }
.facts li:not(:last-child)::after { content: "·"; margin: 0 8px; color: var(--text-3); }
.plan { padding: 14px 0; border-bottom: 1px solid var(--hairline); font: 14px/1.55 var(--sans); }
.plan ol { margin: 0; padding-left: 1.6em; }
.plan .done { color: var(--text-2); }
.plan .done::marker { color: var(--green); content: "✓ "; }
.plan .active { font-weight: 600; }
.plan .active::marker { content: "› "; }
.plan .open::marker { content: "○ "; }
.plan .dropped { color: var(--text-3); text-decoration: line-through; }
.divider { display: flex; align-items: center; gap: 12px; margin: 34px 0; font: 11.5px/1.4 var(--sans); color: var(--text-3); font-variant-numeric: tabular-nums; }
.divider::after { content: ""; flex: 1; border-top: 1px solid var(--hairline); }
footer { margin-top: 56px; padding-top: 14px; border-top: 1px solid var(--hairline); font: 11.5px/1.5 var(--sans); color: var(--text-3); }`;

const SPEECH = `
article { margin: 30px 0 0; }
article + .tool, .tool + .tool { margin-top: 12px; }
h2 { display: flex; align-items: baseline; gap: 12px; margin: 0 0 3px; font: 600 10.5px/1.6 var(--sans); letter-spacing: 0.1em; text-transform: uppercase; color: var(--text-2); }
.time { margin-left: auto; font: 11.5px/1.6 var(--sans); letter-spacing: 0; text-transform: none; color: var(--text-3); text-decoration: none; font-variant-numeric: tabular-nums; white-space: nowrap; }
.time:hover { text-decoration: underline; }
.user h2 { color: var(--green); }
.user .plain { font-style: italic; }
.client h2 { color: var(--blue); }
.doubt { font: 400 11.5px/1.6 var(--sans); letter-spacing: 0; text-transform: none; color: var(--amber); }
.verdict { margin: 4px 0 0; font: 500 13px/1.5 var(--sans); }
.verified { font: 400 11.5px/1.6 var(--sans); letter-spacing: 0; text-transform: none; color: var(--green); }
.words > :first-child { margin-top: 0; }
.words > :last-child { margin-bottom: 0; }
.words p, .words ul, .words ol, .words pre, .words blockquote, .table { margin: 0 0 0.72em; }
.plain { white-space: pre-wrap; margin: 0; }
.words ul, .words ol { padding-left: 1.5em; }
.words li > p { margin-bottom: 0.3em; }
.words li + li { margin-top: 0.16em; }
.words li > ul, .words li > ol { margin: 0.16em 0 0; }
.words h3, .words h4, .words h5, .words h6 { margin: 1.3em 0 0.4em; font: 600 1.06em/1.35 var(--serif); }
.words h5, .words h6 { font-size: 1em; }
.words h6 { font-style: italic; font-weight: 500; }
.words blockquote { margin-left: 0; padding-left: 16px; border-left: 2px solid var(--strong); color: var(--text-2); }
.words hr { margin: 1.6em auto; width: 30%; border: 0; border-top: 1px solid var(--strong); }
code, pre, .tool, .remark .plain { font-family: var(--mono); font-variant-ligatures: none; }
code { padding: 1px 4px; border-radius: 4px; background: var(--chrome); font-size: 0.82em; }
pre { padding: 12px 14px; border-radius: 8px; background: var(--chrome); font-size: 13px; line-height: 1.58; overflow-x: auto; overflow-wrap: normal; tab-size: 4; }
pre code { padding: 0; background: none; font-size: inherit; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.92em; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: 5px 18px 5px 0; border-bottom: 1px solid var(--hairline); text-align: left; vertical-align: top; }
th { border-bottom-color: var(--strong); font-weight: 600; }
.center { text-align: center; }
.right { text-align: right; }`;

const ACTS = `
.tool { margin: 16px 0 0; padding-left: 14px; border-left: 2px solid var(--strong); font-size: 13px; line-height: 1.55; }
.tool summary { display: flex; align-items: baseline; gap: 10px; cursor: pointer; list-style: none; }
.tool summary::-webkit-details-marker { display: none; }
.tool .name { font-weight: 600; white-space: nowrap; }
.tool .input { min-width: 0; white-space: pre-wrap; }
.status { font: 11.5px/1.6 var(--sans); color: var(--text-3); white-space: nowrap; }
.failed .status, .denied .status { color: var(--red); }
.failed, .denied { border-left-color: var(--red); }
.output { margin: 6px 0 0; padding: 0; max-height: 27em; overflow: auto; scrollbar-width: thin; border-radius: 0; background: none; color: var(--text-2); font-size: 12.5px; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; }
.remark .plain { color: var(--text-2); font-size: 12.5px; line-height: 1.5; }
.permission { padding: 14px 16px; border: 1px solid var(--amber); border-radius: 10px; background: var(--wash); }
.permission h2 { color: var(--amber); }
.permission .plain { color: var(--text); }
.log { margin-top: 8px; font: 12.5px/1.5 var(--sans); color: var(--text-3); }
.log summary { cursor: pointer; }
.hljs-comment, .hljs-quote, .hljs-meta { color: var(--text-3); font-style: italic; }
.hljs-keyword, .hljs-selector-tag, .hljs-built_in, .hljs-section, .hljs-doctag { color: var(--violet); }
.hljs-string, .hljs-regexp, .hljs-addition, .hljs-symbol, .hljs-template-tag { color: var(--green); }
.hljs-number, .hljs-literal, .hljs-attr, .hljs-attribute, .hljs-variable, .hljs-property { color: var(--amber); }
.hljs-title, .hljs-name, .hljs-type, .hljs-selector-id, .hljs-selector-class { color: var(--blue); }
.hljs-deletion { color: var(--red); }
.hljs-emphasis { font-style: italic; }
.hljs-strong { font-weight: 600; }`;

const PRINT = `
@page { margin: 20mm 18mm; }
@media print {
  html { background: none; font-size: 10.5pt; }
  body { padding: 0; }
  main { max-width: none; }
  h1 { font-size: 19pt; }
  h2, h3, h4, summary, .divider { break-after: avoid; }
  article, .tool, footer { break-inside: auto; orphans: 3; widows: 3; }
  pre, .output { max-height: none; overflow: visible; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 8.5pt; }
  pre { border: 1px solid var(--hairline); background: none; }
  .output { border: 0; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .words a::after { content: " (" attr(href) ")"; color: var(--text-3); font-size: 0.85em; }
  .words a[href^="mailto:"]::after { content: none; }
}`;

/** The whole style sheet. */
export const STYLE = `
:root { color-scheme: light dark;${FACES}${PAPER}
}
@media screen and (prefers-color-scheme: dark) { :root {${INK}
} }
@media (max-width: 640px) { body { padding: 28px 16px 64px; } html { font-size: 16px; } h1 { font-size: 24px; } .tool summary { flex-wrap: wrap; gap: 2px 10px; } }
${PAGE}${SPEECH}${ACTS}${PRINT}
`;

/** Allows only this style sheet: no script, picture, font, frame, form or request. */
export const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
