import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEditedFile } from '../../../cli/input/editor.ts';
import { issueDocument } from '../../../cli/nouns/issue-editing.ts';

const scissors = '# ------------------------ >8 ------------------------';

describe('a text in the editor', () => {
  const open = async (text: string, explanation: readonly string[] = []) => {
    const file = await createEditedFile('text.md', text, explanation);
    onTestFinished(() => file.remove());
    return file;
  };

  test.each([
    [`Cut here:\n${scissors}\nand go on.`, ['Write the text.']],
    [`${scissors}\n${scissors.replace('# -', '# --').replace(/-$/, '--')}\nand go on.`, ['Write the text.']],
    [`Cut here:\n${scissors}\nand go on.`, []],
    ['A reply', ['Write the text.', scissors.slice(2)]],
    ['\n\n  indented\r\nline\n\n', ['Write the text.']],
    ['\uFEFF marked', []],
    [' ', []],
    ['', ['Write the text.']],
  ])('is the exact same if it is saved unchanged: %j', async (text, explanation) => {
    const file = await open(text, explanation);
    expect(await file.read()).toBe(text);
  });

  test('ends at the last line that was added to it, whatever its user writes above', async () => {
    const file = await open('Before', ['Write the text.']);
    const shown = await readFile(file.path, 'utf8');
    expect(shown).toBe(`Before\n\n${scissors}\n# Write the text.\n`);
    await writeFile(file.path, shown.replace('Before', `\r\nAfter\r\n${scissors}\r\n# and this.\r\n`));
    expect(await file.read()).toBe(`After\n${scissors}\n# and this.`);

    const bare = await open('Before');
    await writeFile(bare.path, `After\n${scissors}\nand this.\n`);
    expect(await bare.read()).toBe(`After\n${scissors}\nand this.`);
  });
});

describe('an issue in the editor', () => {
  const heading = '== steps to reproduce ==';
  const description = `Above\n${heading}\n== Description ==\nBelow`;

  test('keeps texts that have a heading as a line', () => {
    const document = issueDocument({ title: 'Title', description, steps: 'Click' });
    expect(document.parse(document.text)).toEqual({ title: 'Title', description, steps: 'Click' });
    expect(document.changes(document.text.replace('Click', 'Press'))).toEqual({ steps: 'Press' });
  });

  test('refuses a heading that is there twice', () => {
    const document = issueDocument({ title: 'Title', description: 'Below', steps: 'Click' });
    const sentence = `Line 8: ${heading} is there twice. Remove one.`;
    expect(() => document.parse(document.text.replace('Below', description))).toThrow(
      'Line 6: == description == is there twice. Remove one.',
    );
    expect(() => document.parse(document.text.replace('Below', `Above\n${heading}\nBelow`))).toThrow(
      sentence,
    );
  });
});
