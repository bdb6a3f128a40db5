/** Returns a function that makes its value when it is first called, and returns the same value from then on. */
export function lazily<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}
