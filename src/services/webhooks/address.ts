import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The address that a request would go to is not one of the public internet. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/** Global unicast: whatever else there is of IPv6 is for links, sites, tests or tunnels. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Where machines in Azure ask for their metadata and their names: reached from them alone, and of a public range. */
const azure = '168.63.129.16';

/** Whether an IP address is one of the public internet: not of this machine, a private network, a cloud's metadata. */
export function isPublicAddress(address: string): boolean {
  // An IPv4 address in the clothes of an IPv6 one counts as what it is.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast' && parsed.toString() !== azure;
  // What a network without IPv4 makes of IPv4 addresses.
  if (parsed.range() === 'rfc6052') return isPublicAddress(parsed.toByteArray().slice(12).join('.'));
  return parsed.range() === 'unicast' && parsed.match(globalUnicast);
}

/** The IP address that a URL names by itself, without asking anybody; undefined where it has a name. */
function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
}

/** Whether a URL leads to a private address by its very text. A name may still do so when it is looked up. */
export function isPlainlyPrivate(url: URL): boolean {
  const address = literalAddress(url);
  if (address !== undefined) return !isPublicAddress(address);
  return /(^|\.)localhost\.?$/.test(url.hostname);
}

/**
 * Looks names up for connections, and refuses those with a private address among theirs. The connection goes to the
 * very addresses that were looked at, so a name that answers differently a moment later gains nothing. Literal
 * addresses are never looked up: see `isPlainlyPrivate`.
 */
export function publicLookup(resolve: LookupFunction = lookup as LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '');
      const addresses = found as LookupAddress[];
      const [first] = addresses;
      if (first === undefined || addresses.some(({ address }) => !isPublicAddress(address))) {
        return callback(new PrivateAddressError(`${hostname} has a private address.`), '');
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
