import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The request would go to an address outside the public internet. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/** The only IPv6 range for hosts on the internet; all others are for links, sites, tests or tunnels. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** The metadata and DNS service of Azure. Only machines in Azure reach it, although its range is public. */
const azure = '168.63.129.16';

/** Reports whether an IP address is on the public internet: not this machine, a private network or cloud metadata. */
export function isPublicAddress(address: string): boolean {
  // Turns an IPv4-mapped IPv6 address into its IPv4 address.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast' && parsed.toString() !== azure;
  // NAT64, which networks without IPv4 use to reach IPv4 addresses.
  if (parsed.range() === 'rfc6052') return isPublicAddress(parsed.toByteArray().slice(12).join('.'));
  return parsed.range() === 'unicast' && parsed.match(globalUnicast);
}

/** Reports whether the host of a URL is a private address or localhost. Other names are checked by `publicLookup`. */
export function hasPrivateHost({ hostname }: URL): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? /(^|\.)localhost\.?$/.test(hostname) : !isPublicAddress(bare);
}

/**
 * Returns a lookup that rejects names with a private address. The connection uses exactly the addresses that
 * were checked, so a name that resolves differently a moment later is no way around it.
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
