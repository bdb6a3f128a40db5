const svgText =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><script>alert(1)</script><circle cx="4" cy="4" r="4" fill="#c2255c"/></svg>';

/** A picture that would run a script if it were a page. */
export const svg = `data:image/svg+xml;base64,${Buffer.from(svgText).toString('base64')}`;

/** A picture of one pixel. */
export const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
