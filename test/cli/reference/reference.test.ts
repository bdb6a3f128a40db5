import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { fillBlocks } from '../../../cli/reference/blocks.ts';
import { generatedPages } from '../../../cli/reference/pages.ts';

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe.for(generatedPages)('$path', ({ path, render }) => {
  test('is up to date', async () => {
    const page = await read(path);
    expect(page, `${path} is out of date. Run npm run reference.`).toBe(await render(page));
  });

  test('links only to headings that exist', async () => {
    const page = await read(path);
    const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(([, target]) => target);
    expect(links.filter((target = '') => !anchors.includes(target))).toEqual([]);
  });
});

describe('the generated parts of a page', () => {
  const page = 'By hand.\n\n<!-- a -->\n\nold\n\n<!-- /a -->\n\n| <!-- b -->old<!-- /b --> | by hand |\n';

  test('are replaced between their markers, in blocks and in lines', () => {
    expect(fillBlocks(page, { a: 'new', b: 'also new' })).toBe(
      'By hand.\n\n<!-- a -->\n\nnew\n\n<!-- /a -->\n\n| <!-- b -->also new<!-- /b --> | by hand |\n',
    );
  });

  test('stay as they are if nothing generates them', () => {
    expect(fillBlocks(page, {})).toBe(page);
  });

  test.for(['endpoints', 'commands', 'replica'])('README.md has the part %s', async (name) => {
    expect(await read('README.md')).toMatch(new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`));
  });
});
