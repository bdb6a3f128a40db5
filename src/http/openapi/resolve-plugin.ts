/**
 * A plugin of Swagger UI, for the browser. It replaces the resolver, which reads the whole document again for each
 * operation that is opened: that takes a second or more. References of this document lead only to itself.
 */
export const resolvePlugin = `const resolvePlugin = () => {
  async function resolveSubtree(document, path) {
    const at = (keys) => keys.reduce((value, key) => value?.[key], document);
    const targetOf = (reference) =>
      at(reference.slice(2).split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')));

    function resolve(value, within) {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map((item) => resolve(item, within));
      const { $ref: reference, ...others } = value;
      const isOpen = typeof reference === 'string' && reference.startsWith('#/') && !within.includes(reference);
      if (isOpen) return resolve({ ...targetOf(reference), ...others }, [...within, reference]);
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolve(item, within)]));
    }

    return { errors: [], spec: resolve(at(path), []) };
  }

  return { fn: { resolveSubtree } };
};
`;
