import fc from 'fast-check';

/** Makes statements of random parts, which come as often as their weight says. */
export const statements = <Parts extends readonly unknown[]>(
  weight: number,
  parts: { readonly [Part in keyof Parts]: fc.Arbitrary<Parts[Part]> },
  text: (...parts: Parts) => string,
) => ({
  weight,
  arbitrary: fc
    .tuple(...(parts as unknown as fc.Arbitrary<unknown>[]))
    .map((values) => text(...(values as never))),
});
