// Browsers have no function for it.
import punycode from 'punycode.js';

/** A part of a domain, with letters of all languages. */
export const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;

/**
 * Returns an e-mail in the one form in which it is stored, so that a mailbox has one account however its address is typed:
 * trimmed, in lower case, in NFC, and with the domain in Unicode. A domain whose Unicode form is no address stays in Punycode.
 */
export function storedEmail(email: string): string {
  const [name, domain] = partsOf(email.trim().toLowerCase().normalize('NFC'));
  const ascii = asciiDomain(domain);
  return name + (ascii === undefined ? domain : unicodeDomain(ascii));
}

/**
 * Returns the forms in which a row may have an e-mail: the given text, and those that plain SQL or an older version may have
 * written. Most e-mails have one.
 */
export function emailForms(email: string): readonly string[] {
  const stored = storedEmail(email);
  const [name, domain] = partsOf(stored);
  const others = [stored, name + (asciiDomain(domain) ?? domain)];
  return [...new Set([email, ...others, ...others.map((form) => form.normalize('NFD'))])];
}

/** Returns an e-mail up to and with its `@`, and the domain, which is empty without one. */
function partsOf(email: string): readonly [name: string, domain: string] {
  const start = email.lastIndexOf('@') + 1 || email.length;
  return [email.slice(0, start), email.slice(start)];
}

const isInternational = /[^\p{ASCII}]|xn--/u;
/** What a URL takes for the end of its host, or leaves out. */
const noDomain = /[\p{Cc}\p{Z}/?#@:%\\[\]]/u;
/** DNS allows no longer domain. */
const maxDomainLength = 255;

/** Returns an international domain in Punycode, or undefined if it is none. Mapped as browsers map the domain of a URL. */
function asciiDomain(domain: string): string | undefined {
  if (!isInternational.test(domain) || noDomain.test(domain) || domain.length > maxDomainLength)
    return undefined;
  const url = `http://${domain}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** Returns a domain in Unicode, or as it is if mails cannot be sent to that, for example because of an emoji. */
function unicodeDomain(ascii: string): string {
  let domain: string;
  try {
    domain = punycode.toUnicode(ascii);
  } catch {
    return ascii;
  }
  const isMailDomain = domain.split('.').every((label) => domainLabel.test(label));
  return isMailDomain && asciiDomain(domain) === ascii ? domain : ascii;
}
