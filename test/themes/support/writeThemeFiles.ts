export interface Colors {
  background: string;
  foreground: string;
  cursor: string;
  ansi: string[];
}

const EIGHT = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

const entry = (key: string, hex: string): string => {
  const share = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  const parts = { Alpha: 1, Blue: share(5), Green: share(3), Red: share(1) };
  const lines = Object.entries(parts).map(([name, value]) => `<key>${name} Component</key>\n\t\t<real>${value}</real>`);
  return `\t<key>${key}</key>\n\t<dict>\n\t\t<key>Color Space</key>\n\t\t<string>sRGB</string>\n\t\t${lines.join('\n\t\t')}\n\t</dict>`;
};

/** Writers of each format, as its own program writes it, by the name of the file. */
export const WRITE: Readonly<Record<string, (colors: Colors) => string>> = {
  'Harbour.itermcolors': ({ background, foreground, cursor, ansi }) =>
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
      '<plist version="1.0">\n<dict>',
      ...ansi.map((color, index) => entry(`Ansi ${index} Color`, color)),
      entry('Background Color', background),
      entry('Bold Color', '#ffffff'),
      entry('Cursor Color', cursor),
      entry('Foreground Color', foreground),
      '</dict>\n</plist>\n',
    ].join('\n'),
  'Harbour.json': ({ background, foreground, cursor, ansi }) => {
    const names = EIGHT.map((name) => (name === 'magenta' ? 'purple' : name));
    const all = [...names, ...names.map((name) => `bright${name.charAt(0).toUpperCase()}${name.slice(1)}`)];
    const palette = Object.fromEntries(all.map((name, index) => [name, ansi[index]?.toUpperCase()]));
    return JSON.stringify({ name: 'Harbour', background, foreground, cursorColor: cursor, ...palette }, null, 4);
  },
  Harbour: ({ background, foreground, cursor, ansi }) =>
    [
      '# a theme of Ghostty',
      ...ansi.map((color, index) => `palette = ${index}=${color}`),
      'palette = 16=#000000',
      `background = ${background.slice(1)}`,
      `foreground = ${foreground}`,
      `cursor-color = ${cursor}`,
    ].join('\n'),
  'Harbour.toml': ({ background, foreground, cursor, ansi }) =>
    [
      `[colors.primary]\nbackground = '${background}'\nforeground = '0x${foreground.slice(1)}'`,
      `[colors.cursor]\ntext = 'CellBackground'\ncursor = '${cursor}'`,
      `[colors.normal]\n${EIGHT.map((name, index) => `${name} = '${ansi[index]}'`).join('\n')}`,
      `[colors.bright]\n${EIGHT.map((name, index) => `${name} = "${ansi[index + 8]}"`).join('\n')}`,
    ].join('\n\n'),
  'Harbour.yml': ({ background, foreground, cursor, ansi }) =>
    [
      `colors:\n  primary:\n    background: 0x${background.slice(1)}\n    foreground: '${foreground}'`,
      `  cursor:\n    cursor: '${cursor}'`,
      `  normal:\n${EIGHT.map((name, index) => `    ${name}: '${ansi[index]}'`).join('\n')}`,
      `  bright:\n${EIGHT.map((name, index) => `    ${name}: 0x${ansi[index + 8]?.slice(1)}`).join('\n')}`,
    ].join('\n'),
};
