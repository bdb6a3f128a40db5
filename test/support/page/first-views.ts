import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** How many bytes a page loads before it can be seen, compressed. */
export type FirstView = Awaited<ReturnType<typeof firstViews>>[number];

type Manifest = Readonly<
  Record<
    string,
    { name: string; file: string; css?: readonly string[]; imports?: readonly string[]; isEntry?: true }
  >
>;

/** Returns the size of the first view of each page of the built dashboard: all that its modules import. */
export async function firstViews() {
  const folder = join(import.meta.dirname, '..', '..', '..', 'dist', 'web');
  const manifest: Manifest = JSON.parse(await readFile(join(folder, '.vite', 'manifest.json'), 'utf8'));
  const closure = (name: string): string[] => [name, ...(manifest[name]?.imports ?? []).flatMap(closure)];
  const size = async (files: Iterable<string>) => {
    let sum = 0;
    for (const file of new Set(files))
      sum += gzipSync(await readFile(join(folder, file)), { level: 9 }).length;
    return sum;
  };
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? '';
  const pages = Object.keys(manifest).filter((name) => /-pages?$/.test(manifest[name]?.name ?? ''));
  return await Promise.all(
    pages.map(async (page) => {
      const parts = [...closure(entry), ...closure(page)].map((part) => manifest[part]);
      return {
        /** The name of its file, such as `issues-page`. */
        page: manifest[page]?.name ?? '',
        script: await size(parts.flatMap((part) => (part ? [part.file] : []))),
        style: await size(parts.flatMap((part) => part?.css ?? [])),
      };
    }),
  );
}
