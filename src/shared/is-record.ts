// Alone in its file: the first view of the dashboard loads it.

/** Reports whether a value is what a JSON object parses to: an object that is no array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
