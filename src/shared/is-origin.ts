/** Reports whether a text is what a browser sends as `Origin`: no path, no trailing slash, no default port. */
export const isOrigin = (value: string) => /^https?:/.test(value) && URL.parse(value)?.origin === value;
