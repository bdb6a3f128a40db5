/** Saves a file, as a link to it would. */
export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser may read it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Returns the local date, such as `2026-01-31`, for the names of files. */
export function today(): string {
  return new Date().toLocaleDateString('sv');
}
