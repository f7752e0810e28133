/**
 * Copies a text to the clipboard. Call it in the task of the key or click that asks for it, with a promise if the text is still to come: Safari
 * refuses a text that is given a second after the click, Firefox after five.
 */
export async function copyText(text: string | Promise<string>): Promise<void> {
  if (typeof text === 'string') return navigator.clipboard.writeText(text);
  const blob = text.then((whole) => new Blob([whole], { type: 'text/plain' }));
  await Promise.all([text, navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])]);
}
