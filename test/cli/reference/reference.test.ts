import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createProgram } from '../../../cli/program.ts';
import { renderReference } from '../../../cli/reference/page.ts';

const page = new URL('../../../docs/cli.md', import.meta.url);

test('has a reference that says what the commands say (npm run reference)', async () => {
  expect(await readFile(page, 'utf8')).toBe(renderReference(await createProgram()));
});

test('links to headings that are there', async () => {
  const text = await readFile(page, 'utf8');
  const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  );
  const links = [...text.matchAll(/\]\(#([^)]*)\)/g)].map(([, target]) => target);
  expect(links.filter((target = '') => !anchors.includes(target))).toEqual([]);
});
