declare module 'punycode.js' {
  const punycode: {
    /**
     * Returns a domain with the parts that are Punycode (RFC 3492) in Unicode.
     *
     * @throws RangeError for a part that begins with `xn--` and is not Punycode
     */
    toUnicode(domain: string): string;
  };
  export = punycode;
}
