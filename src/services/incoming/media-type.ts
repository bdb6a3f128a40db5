/** The first bytes of files by their media type; `.` is any byte. */
const signatures: readonly (readonly [mediaType: string, start: string])[] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '47494638'],
  ['image/webp', '52494646........57454250'],
  ['application/pdf', '255044462d'],
  ['application/zip', '504b0304'],
];

/**
 * Returns the type of a file by its first bytes. Anything else, also a page or a script, is bytes: no browser shows it in the
 * origin of the service.
 */
export function mediaTypeOf(content: Uint8Array): string {
  const start = Buffer.from(content.subarray(0, 16)).toString('hex');
  const found = signatures.find(([, signature]) => new RegExp(`^${signature}`).test(start));
  return found?.[0] ?? 'application/octet-stream';
}
