/** Safari reads the file only after the click and loses it with its address; a minute is far more than it takes. */
const KEPT_MS = 60_000;

/** Lets the browser save a file that the page made. */
export function saveFile(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
