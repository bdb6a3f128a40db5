const signatures: readonly (readonly [mediaType: string, start: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['application/pdf', /^%PDF-/],
  ['application/zip', /^PK\x03\x04/],
];

/**
 * Returns the type of a file by its first bytes. Anything else, also a page or a script, is bytes: no browser shows it in the
 * origin of the service.
 */
export function mediaTypeOf(content: Uint8Array): string {
  const start = Buffer.from(content.subarray(0, 16)).toString('latin1');
  return signatures.find(([, pattern]) => pattern.test(start))?.[0] ?? 'application/octet-stream';
}
