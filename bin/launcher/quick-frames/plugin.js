import { fileURLToPath } from 'node:url';

const prefix = '\0quick-frames:';
const fileOf = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** What Ink's modules import, and the function around it. */
const wrapped = [
  { by: 'renderer.js', id: './output.js', wrap: 'keepRows', file: fileOf('./kept-rows.js') },
  { by: 'squash-text-nodes.js', id: './sanitize-ansi.js', wrap: 'remember', file: fileOf('./remember.js') },
  { by: 'render-node-to-output.js', id: 'widest-line', wrap: 'remember', file: fileOf('./remember.js') },
];

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
    if (found === undefined) return undefined;
    const resolved = await this.resolve(id, importer, { skipSelf: true });
    return resolved === null ? undefined : `${prefix}${found.wrap}\0${found.file}\0${resolved.id}`;
  },
  load(id) {
    if (!id.startsWith(prefix)) return undefined;
    const [wrap, file, original] = id.slice(prefix.length).split('\0');
    return `import original from ${JSON.stringify(original)};
      import { ${wrap} } from ${JSON.stringify(file)};
      export default ${wrap}(original);`;
  },
};
