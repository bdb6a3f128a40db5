import ipaddr from 'ipaddr.js';

/**
 * Returns the networks of an address that count, smallest first: an IPv4 address itself, also if it is mapped to IPv6, or
 * the /64, /56 and /48 of an IPv6 address.
 */
export function networksOf(address: string): readonly [string, ...string[]] {
  const groups = groupsOf(address);
  if (typeof groups === 'string') return [groups];
  // A link, a home or an office, a site.
  return [networkOfGroups(groups, 64), networkOfGroups(groups, 56), networkOfGroups(groups, 48)];
}

/** Returns the smallest of the networks of an address. */
export function networkOf(address: string): string {
  return networksOf(address)[0];
}

/**
 * Returns the place that an address stands for, which stays the same while a provider changes the address: the /24 network
 * of an IPv4 address, or the /48 network of an IPv6 address.
 */
export function placeOf(address: string): string {
  const groups = groupsOf(address);
  if (typeof groups !== 'string') return networkOfGroups(groups, 48);
  return ipaddr.IPv4.isValid(groups) ? groups.replace(/\.\d+$/, '.0/24') : groups;
}

/** Returns the eight groups of an IPv6 address, or any other address as a text. */
function groupsOf(address: string): readonly number[] | string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts : parsed.toString();
}

/** Writes a /64 without its length, as the counts that are stored do. */
function networkOfGroups(groups: readonly number[], length: number): string {
  const shown = groups.slice(0, Math.ceil(length / 16)).map((group, index) => {
    const bits = Math.min(16, length - 16 * index);
    return (group & (0xffff << (16 - bits))).toString(16);
  });
  return length === 64 ? shown.join(':') : `${shown.join(':')}/${length}`;
}
