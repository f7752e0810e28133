import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { axeFaults } from '../support/axe.ts';
import { ServedWindow } from '../support/ServedWindow.ts';
import { soon, type TerminalWindow } from '../support/TerminalWindow.ts';
import { BROWSER } from '../support/WebApp.ts';

const OWN = [
  { name: 'Greet', command: 'echo "{{greeting:hello}}, {{who}}! {{who}}"', tags: ['talk'] },
  { name: 'Count lines', command: 'for f in a b; do\n\techo $f\ndone' },
  { name: 'Only in fish', command: 'status', shells: ['fish'] },
];

describe.skipIf(BROWSER === '' || !existsSync(BROWSER))('saved commands', () => {
  const served = new ServedWindow();
  const project = realpathSync(mkdtempSync(join(tmpdir(), 'hansard-project-')));
  let win: TerminalWindow;
  const list = () => win.page.getByRole('listbox', { name: 'Completions' });
  const file = () => join(served.app.home, 'commands.json');
  const stored = () => JSON.parse(readFileSync(file(), 'utf8')).commands as { name: string; command: string }[];
  const selected = () => win.page.evaluate(() => String(getSelection()));
  const press = (key: string) => win.page.keyboard.press(key);
  const type = (text: string) => win.page.keyboard.type(text);

  beforeAll(async () => {
    writeFileSync(file(), JSON.stringify({ commands: OWN }));
    win = await served.start();
  });

  afterAll(async () => {
    await served.dispose();
    rmSync(project, { recursive: true, force: true });
  });

  beforeEach(async () => {
    await win.interruptLeftovers();
    await win.page.keyboard.press('Escape');
    await win.composer.locator.waitFor();
    await win.composer.locator.and(win.page.locator('.cm-content')).fill('');
    await win.composer.focus();
  });

  test('/ offers them, words narrow them, and a chosen one is filled in with Tab before Return runs it', async () => {
    await type('/');
    await soon(() => list().getByRole('option').allInnerTexts()).toHaveLength(2);
    await type('gre');
    await soon(() => list().getByRole('option').count()).toBe(1);
    await press('ArrowDown');
    await press('Enter');
    await soon(() => win.composer.inputValue()).toBe('echo "hello, {{who}}! {{who}}"');
    await soon(selected).toBe('hello');
    await type('hi');
    await press('Tab');
    await soon(selected).toBe('{{who}}');
    await type('Ada');
    await soon(() => win.composer.inputValue()).toBe('echo "hi, Ada! Ada"');
    await press('Shift+Tab');
    await soon(selected).toBe('hi');
    await press('Tab');
    await press('Enter');
    const card = win.card('echo "hi, Ada! Ada"');
    await soon(() => win.lines(card)).toEqual(['hi, Ada! Ada']);
    await win.ready();
  });

  test('Return goes to a placeholder that is not filled in, and Escape makes it text', async () => {
    await type('/greet');
    await soon(() => list().count()).toBe(1);
    await list().getByRole('option').first().click();
    await soon(selected).toBe('hello');
    const cards = await win.cards.count();
    await press('Enter');
    await soon(selected).toBe('{{who}}');
    await soon(() => win.page.locator('.composer .field').innerText()).toContain('who (2 of 2)');
    await press('Escape');
    await soon(() => win.page.locator('.composer .field').innerText()).toBe('');
    expect(await win.composer.inputValue()).toBe('echo "hello, {{who}}! {{who}}"');
    expect(await win.cards.count()).toBe(cards);
  });

  test('undo and a completion keep both places of a placeholder the same', async () => {
    await type('/greet');
    await soon(() => list().count()).toBe(1);
    await press('ArrowDown');
    await press('Enter');
    await press('Tab');
    await win.page.keyboard.insertText('Bo'); // at once: letters half a second apart are two steps of the undo history
    await soon(() => win.composer.inputValue()).toBe('echo "hello, Bo! Bo"');
    await press('Control+z');
    await soon(() => win.composer.inputValue()).toBe('echo "hello, {{who}}! {{who}}"');
  });

  test('any path can be typed and run, with the list open or not', async () => {
    await type('/');
    await soon(() => list().count()).toBe(1);
    await type('usr/bin/printf x');
    await soon(() => win.composer.inputValue()).toBe('/usr/bin/printf x');
    await soon(() => list().count()).toBe(0);
    await press('Enter');
    await soon(() => win.card('/usr/bin/printf x').count()).toBe(1);
    await win.ready();
    await type('/greet');
    await soon(() => list().count()).toBe(1);
    await press('Enter'); // no choice is selected, so Return sends the line unchanged
    await soon(() => win.card('/greet').count()).toBe(1);
    await win.ready();
  });

  test('whatever is typed after a / stays exactly as it was typed', async () => {
    const keys = fc.string({ unit: fc.constantFrom(...'/grecount. -~"\'$x{'), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(keys, async (text) => {
        await win.composer.fill('');
        await win.composer.focus();
        await type(`/${text}`);
        await soon(() => win.composer.inputValue()).toBe(`/${text}`);
        await press('Escape');
        expect(await win.composer.inputValue()).toBe(`/${text}`);
      }),
      { numRuns: 15 },
    );
  });

  test('the palette has them, and puts one into the composer with its tabs and line breaks', async () => {
    await win.act('Count lines');
    await soon(() => win.composer.inputValue()).toBe('for f in a b; do\n\techo $f\ndone');
    expect(await win.cards.count()).toBeGreaterThan(0);
    await soon(() => win.focused()).toBe('line');
  });

  test("a card's command is saved exactly, edited, deleted and brought back", async () => {
    const card = await win.run("printf '%s' '{{x}} {{ .y }}'");
    await win.choose(card, 'Save command…');
    const { page } = win;
    await page.getByLabel('Name', { exact: true }).fill('Print');
    await page.getByLabel('Tags').fill('a, b');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await soon(() => stored().find(({ name }) => name === 'Print')).toEqual({
      name: 'Print',
      command: "printf '%s' '{{{{x}}}} {{ .y }}'",
      tags: ['a', 'b'],
    });
    await page.getByRole('button', { name: 'Edit Print' }).click();
    const field = win.dialog.getByLabel('Command', { exact: true });
    await field.fill('printf {{what}}');
    await page.getByLabel('Description of what').fill('Text');
    await page.getByLabel('Default of what').fill('x y');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await soon(() => stored().find(({ name }) => name === 'Print')).toMatchObject({
      command: 'printf {{what}}',
      arguments: [{ name: 'what', description: 'Text', default: 'x y' }],
    });
    await page.getByRole('button', { name: 'Delete Greet' }).click();
    await soon(() => stored().map(({ name }) => name)).not.toContain('Greet');
    await page.getByRole('button', { name: 'Undo' }).click();
    await soon(() => stored()[0]?.name).toBe('Greet');
    await press('Escape');
    await soon(() => win.focused()).toBe('line');
  });

  test('a name that is taken is refused with the reason', async () => {
    await win.composer.fill('ls -la');
    await win.act('Save text of composer…');
    const { page } = win;
    await page.getByLabel('Name', { exact: true }).fill('Greet');
    await press('Enter');
    await soon(() => page.locator('.sheet [role="status"]').innerText()).toBe(
      'A command called "Greet" is saved already.',
    );
    await press('Escape');
    await soon(() => win.dialog.count()).toBe(0);
    expect(await win.composer.inputValue()).toBe('ls -la');
  });

  test('workflows of Warp are imported, and a bad file says why', async () => {
    await win.act('Saved commands…');
    const { page } = win;
    const workflow =
      'name: List pods\ncommand: kubectl get pods -n {{ns}}\narguments:\n  - name: ns\n    default_value: default\n';
    const files = [
      { name: 'pods.yaml', mimeType: 'text/yaml', buffer: Buffer.from(workflow) },
      { name: 'bad.yaml', mimeType: 'text/yaml', buffer: Buffer.from('name: [') },
      { name: 'greet.yml', mimeType: 'text/yaml', buffer: Buffer.from('name: Greet\ncommand: other\n') },
    ];
    await page.locator('footer input[type="file"]').first().setInputFiles(files);
    const said = page.locator('footer [role="status"]');
    await soon(() => said.innerText()).toContain('Imported 1 command');
    expect(await said.innerText()).toContain('bad.yaml: The YAML is malformed in line 1');
    expect(await said.innerText()).toContain('Kept your own “Greet”');
    await said.getByRole('button', { name: 'Replace' }).click();
    await soon(() => stored().find(({ name }) => name === 'Greet')?.command).toBe('other');
    await page.getByLabel('Search saved commands').fill('pods');
    await press('Enter');
    await soon(() => win.composer.inputValue()).toBe('kubectl get pods -n default');
    await soon(selected).toBe('default');
    await press('Escape');
  });

  test("a project's commands are shown only once they were allowed, and asked about again when they change", async () => {
    mkdirSync(join(project, '.hansard'), { recursive: true });
    const own = join(project, '.hansard', 'commands.json');
    writeFileSync(own, JSON.stringify({ commands: [{ name: 'Secret build', command: 'make secret' }] }));
    await win.run(`cd ${project}`);
    await type('/');
    const ask = list().getByRole('option', { name: /Use the commands of this project/ });
    await soon(() => ask.count()).toBe(1);
    expect(await win.page.content()).not.toContain('Secret build');
    await ask.click();
    await soon(() => win.dialog.innerText()).toContain(own);
    expect(await win.dialog.innerText()).toMatch(/SHA-256 [0-9a-f]{64}/);
    expect(await axeFaults(win.page, '[role="dialog"]')).toEqual([]);
    expect(await win.page.content()).not.toContain('Secret build');
    await win.page.getByRole('button', { name: 'Use commands' }).click();
    await soon(() =>
      list()
        .getByRole('option', { name: /Secret build/ })
        .count(),
    ).toBe(1);
    expect(await win.composer.inputValue()).toBe('/');

    writeFileSync(own, JSON.stringify({ commands: [{ name: 'Other build', command: 'rm -rf x' }] }));
    await win.composer.fill('');
    await type('/');
    await soon(() => ask.count()).toBe(1);
    expect(await win.page.content()).not.toContain('Other build');
    await ask.click();
    await soon(() => win.dialog.innerText()).toContain('Use the changed commands of this project?');
    await win.page.getByRole('button', { name: 'Cancel' }).click();
    await soon(() => win.dialog.count()).toBe(0);
    await win.run('cd /');
  });

  test('a list that cannot be used says so, and is left as it is', async () => {
    const text = readFileSync(file(), 'utf8');
    writeFileSync(file(), '{"commands": [');
    await win.act('Saved commands…');
    await soon(() => win.dialog.innerText()).toContain('commands.json is not valid JSON');
    await press('Escape');
    expect(readFileSync(file(), 'utf8')).toBe('{"commands": [');
    writeFileSync(file(), text);
  });

  test('axe finds nothing in the list and the form, in both themes', async () => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await win.page.emulateMedia({ colorScheme });
      await win.act('Saved commands…');
      await soon(() => win.page.getByRole('button', { name: 'Edit Count lines' }).count()).toBe(1);
      expect(await axeFaults(win.page, '[role="dialog"]')).toEqual([]);
      await win.page.getByRole('button', { name: 'Edit Print' }).click();
      await soon(() => win.page.getByLabel('Default of what').count()).toBe(1);
      expect(await axeFaults(win.page, '[role="dialog"]')).toEqual([]);
      await press('Escape');
      await soon(() => win.dialog.count()).toBe(0);
    }
  });
});
