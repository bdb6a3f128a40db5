-- Up Migration

comment on column sign_in_networks.network is
  'An IPv4 address and its network of 24 bits, or IPv6 networks of 64 and of 48 bits.';

-- What they remembered is in sign_in_networks.
delete from rate_limits where key like 'sign-in-known:%';

-- Down Migration

comment on column sign_in_networks.network is 'An IPv4 network of 24 bits or an IPv6 network of 48 bits.';
