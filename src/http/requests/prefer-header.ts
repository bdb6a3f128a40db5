// The `Prefer` header (https://www.rfc-editor.org/rfc/rfc7240).

type Header = string | readonly string[] | undefined;

/** Reports whether a request asks for strict handling. The first of several preferences with the same name counts. */
export function prefersStrict(header: Header): boolean {
  const [handling] = preferencesIn(header)
    .map((preference) => /^handling\s*=\s*"?([\w-]*)"?\s*(;|$)/i.exec(preference)?.[1])
    .filter((value) => value !== undefined);
  return handling?.toLowerCase() === 'strict';
}

/** Reports whether a program sends the request by itself, which must not keep the session of a person alive. */
export function isBackground(header: Header): boolean {
  return preferencesIn(header).some((preference) => /^background\s*(;|$)/i.test(preference));
}

function preferencesIn(header: Header): readonly string[] {
  return String(header ?? '')
    .split(',')
    .map((preference) => preference.trim());
}
