import { createHash } from 'node:crypto';

/**
 * The page of an exported replay. Its content security policy allows only this script and no requests. fillReplayPage
 * (src-main/shared/replay/fillReplayPage.ts) replaces the comment with the recording.
 */
export function replayPageOf(script, style) {
  const code = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const hash = createHash('sha256').update(code).digest('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    'font-src data:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="referrer" content="no-referrer">
<title>Replay</title>
<!-- Holds xterm.js (MIT, © The xterm.js authors), Svelte (MIT, © Svelte contributors) and IBM Plex (OFL 1.1, © IBM Corp.). -->
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<script type="application/x-asciicast" id="recording"><!--hansard:recording--></script>
<script>${code}</script>
</body>
</html>
`;
}
