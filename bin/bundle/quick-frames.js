import { join } from 'node:path';

const prefix = '\0quick-frames:';
const keptRows = join(import.meta.dirname, 'kept-rows.js');

/** What Ink's modules import, and the function around it. */
const wrapped = [
  { by: 'renderer.js', id: './output.js', wrap: 'keepRows' },
  { by: 'squash-text-nodes.js', id: './sanitize-ansi.js', wrap: 'remember' },
  { by: 'render-node-to-output.js', id: 'widest-line', wrap: 'remember' },
];
const done = new Set();

/**
 * Makes Ink draw only the rows of a frame that have changed. By itself, it reads and draws every cell of every frame, which
 * takes most of the time of a key in a large terminal.
 *
 * @type {import('rolldown').Plugin}
 */
export const quickFrames = {
  name: 'quick-frames',
  async resolveId(id, importer) {
    const found = wrapped.find((each) => each.id === id && importer?.endsWith(`/ink/build/${each.by}`));
    const resolved = found && (await this.resolve(id, importer, { skipSelf: true }));
    if (!found || !resolved) return undefined;
    done.add(found);
    return `${prefix}${found.wrap}\0${resolved.id}`;
  },
  load(id) {
    if (!id.startsWith(prefix)) return undefined;
    const [wrap, original] = id.slice(prefix.length).split('\0');
    return `import original from ${JSON.stringify(original)};
      import { ${wrap} } from ${JSON.stringify(keptRows)};
      export default ${wrap}(original);`;
  },
  buildEnd(error) {
    const missing = wrapped.filter((each) => !done.has(each)).map(({ by, id }) => `${by} imports no ${id}`);
    if (!error && missing.length > 0)
      this.error(`Ink has changed: ${missing.join(', ')}. Adapt bin/bundle/quick-frames.js.`);
  },
};
