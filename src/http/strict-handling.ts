/**
 * Reports whether a `Prefer` header asks for strict handling (https://www.rfc-editor.org/rfc/rfc7240). The first of
 * several preferences with the same name counts.
 */
export function prefersStrict(header: string | readonly string[] | undefined): boolean {
  const [handling] = String(header ?? '')
    .split(',')
    .map((preference) => /^\s*handling\s*=\s*"?([\w-]*)"?\s*(;|$)/i.exec(preference)?.[1])
    .filter((value) => value !== undefined);
  return handling?.toLowerCase() === 'strict';
}
