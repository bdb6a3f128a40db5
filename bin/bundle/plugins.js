import { createRequire, isBuiltin } from 'node:module';

const require = createRequire(import.meta.url);
const prefix = '\0builtin:';
/** Modules of Node that load many others, and that most commands import but do not use. */
const lateBuiltins = new Set(['child_process', 'node:child_process']);

/**
 * Makes an import of one of Node's modules read only the exports that the importer uses. Node itself reads all of them,
 * also those that load more when they are read: `WebSocket` of `node:http` loads all of fetch, `stdin` of `node:process`
 * opens the terminal. That would be a third of the time of a start.
 */
export const onlyUsedExports = {
  name: 'only-used-exports',
  /**
   * @param {string} id
   * @param {string | undefined} importer
   * @param {{ kind: string }} options
   */
  resolveId(id, importer, { kind }) {
    // Each importer gets a module of its own, from which the bundler drops what that importer does not use.
    return isBuiltin(id) && kind === 'import-statement' ? `${prefix}${id}\0${importer}` : undefined;
  },
  /** @param {string} id */
  load(id) {
    if (!id.startsWith(prefix)) return undefined;
    const name = id.slice(prefix.length).split('\0', 1)[0] ?? '';
    const exported = Object.keys(require(name)).filter((key) => /^\w+$/.test(key) && key !== 'default');
    const code = [
      `const builtin = ${lateBuiltins.has(name) ? lateModule(name) : `process.getBuiltinModule('${name}')`};`,
      'export default builtin;',
      ...exported.map((key) => `export const ${key} = /* @__PURE__ */ Reflect.get(builtin, '${key}');`),
    ].join('\n');
    return { code, moduleSideEffects: false };
  },
};

/**
 * Returns the code of an object that loads a module when one of its exports is first read.
 *
 * @param {string} name
 */
const lateModule = (name) =>
  `new Proxy({}, { get: (_, key) => Reflect.get(process.getBuiltinModule('${name}'), key) })`;

const bodyDecoder = '\0iconv-lite';

/**
 * Leaves out the tables of character sets that Express's body parsers decode texts with: half a megabyte. The service
 * reads bodies as bytes (`src/http/requests/body.ts`).
 */
export const noCharacterSets = {
  name: 'no-character-sets',
  /** @param {string} id */
  resolveId: (id) => (id === 'iconv-lite' ? bodyDecoder : undefined),
  /** @param {string} id */
  load(id) {
    if (id !== bodyDecoder) return undefined;
    return `const refuse = () => { throw new Error('The bundle has no character sets. See bin/bundle/plugins.js.'); };
      export { refuse as decode, refuse as encodingExists, refuse as getDecoder };`;
  },
};

const segmenter = 'const segmenter = new Intl.Segmenter();';
const emoji = /const emojiPrefixRegex = \/(.+)\/v(?=;)/;

/** Makes string-width load the data of languages when it first needs them, which takes 25 ms of a start. */
export const lateLanguages = {
  name: 'late-languages',
  /**
   * @param {string} code
   * @param {string} id
   */
  transform(code, id) {
    if (!id.endsWith('/string-width/index.js') || !code.includes(segmenter)) return undefined;
    const lateSegmenter =
      'let made; const segmenter = { segment: text => (made ??= new Intl.Segmenter()).segment(text) };';
    // A literal is compiled when the file is loaded.
    const lateEmoji =
      'let emoji; const getEmoji = () => (emoji ??= new RegExp(String.raw`$1`, "v")); ' +
      'const emojiPrefixRegex = { test: text => getEmoji().test(text), exec: text => getEmoji().exec(text) }';
    return { code: code.replace(segmenter, lateSegmenter).replace(emoji, lateEmoji), map: null };
  },
};

/**
 * Makes Yoga, which lays out the dashboard, decode its WebAssembly itself. It would fetch it from a `data:` address, for
 * which Node loads its HTTP client: 5 MB.
 */
export const layoutWithoutFetch = {
  name: 'layout-without-fetch',
  /**
   * @param {string} code
   * @param {string} id
   */
  transform(code, id) {
    if (!id.endsWith('/yoga-layout/dist/binaries/yoga-wasm-base64-esm.js')) return undefined;
    return { code: `const fetch = undefined;\n${code}`, map: null };
  },
};
