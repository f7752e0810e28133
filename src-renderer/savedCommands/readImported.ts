/** A file as the core takes it. */
export interface ReadFile {
  name: string;
  text: string;
}

const IS_LIST = /\.(?:ya?ml|json)$/i;
/** In characters; the core refuses more with a reason, and needs no more than this to see it. */
const MAX_CHARS = 256 * 1024 + 1;

/** The texts of the chosen YAML and JSON files, with their names in their folder. */
export async function readImported(files: readonly File[]): Promise<ReadFile[]> {
  const lists = files.filter(({ name }) => IS_LIST.test(name));
  return Promise.all(
    lists.map(async (file) => ({
      name: file.webkitRelativePath || file.name,
      text: await file.slice(0, MAX_CHARS).text(),
    })),
  );
}
