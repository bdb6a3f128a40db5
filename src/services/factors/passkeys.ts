import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { PasskeyCredential, VerifiedFactor } from '../../db/tables/accounts/factors.ts';
import type { Log } from '../call/observer.ts';

/** Where the service is. */
export interface Site {
  /** The service's own URL, if BACKOFFICE_PUBLIC_URL sets it. */
  readonly publicUrl: string | undefined;
  /** Other origins whose pages may use the API, and its passkeys. */
  readonly corsOrigins: readonly string[];
}

/** The site that passkeys belong to. */
export interface PasskeySite {
  /** The domain, which browsers bind each passkey to. */
  readonly rpId: string;
  /** The origins whose pages may use them. */
  readonly origins: readonly string[];
}

/** JSON of a browser. The functions that read it check its form. */
export type BrowserJson = Readonly<Record<string, unknown>>;

/** Ed25519, ES256 and RS256, by their COSE ids: what devices have. */
const algorithms = [-8, -7, -257];
/** How long the browser waits for the person. */
const timeoutMs = 5 * 60 * 1000;

// Loaded with the first passkey: most processes never need it, and it is large.
const library = () => import('@simplewebauthn/server');

/**
 * Returns the site of the service, by default at the origin that the request was sent to, or null if browsers have no
 * passkeys there: they need a domain name, and HTTPS unless it is localhost.
 */
export function siteOf(call: { readonly site: Site; readonly origin: string }): PasskeySite | null {
  const { site } = call;
  const url = URL.parse(site.publicUrl ?? call.origin);
  if (url === null) return null;
  const { hostname: rpId, protocol, origin } = url;
  const isLocal = rpId === 'localhost' || rpId.endsWith('.localhost');
  if (/^[\d.]+$|:/.test(rpId) || (protocol !== 'https:' && !isLocal)) return null;
  return { rpId, origins: [origin, ...site.corsOrigins] };
}

/** Returns the options for `navigator.credentials.create`. */
export async function creationOptions(
  { rpId }: PasskeySite,
  admin: { readonly id: string; readonly email: string; readonly username: string },
  challenge: Buffer,
  existing: readonly VerifiedFactor[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return await generateRegistrationOptions({
    rpName: 'Backoffice',
    rpID: rpId,
    userID: bytesOf(Buffer.from(admin.id)),
    userName: admin.email,
    userDisplayName: admin.username,
    challenge: bytesOf(challenge),
    timeout: timeoutMs,
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: existing.flatMap(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/** Returns the credential that a browser made, or null if it does not prove one for this site and challenge. */
export async function checkCreated(
  { rpId, origins }: PasskeySite,
  response: BrowserJson,
  isChallenge: (challenge: string) => boolean,
  log: Log,
): Promise<PasskeyCredential | null> {
  const { verifyRegistrationResponse } = await library();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: isChallenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      supportedAlgorithmIDs: algorithms,
      // It follows a password, so touching the device is enough.
      requireUserVerification: false,
    });
    if (!verified) return null;
    const { id, publicKey, counter: signCount, transports } = registrationInfo.credential;
    return { id, publicKey: Buffer.from(publicKey), signCount, transports: transportsIn(transports) };
  } catch (err) {
    // The library throws for every kind of wrong response.
    log.warn({ err }, 'passkey not accepted');
    return null;
  }
}

/** Returns the words in what a browser says of the ways to a device. The library takes it as it comes. */
function transportsIn(given: unknown): readonly string[] {
  if (!Array.isArray(given)) return [];
  return given.filter((word): word is string => typeof word === 'string' && /^[a-z-]{1,20}$/.test(word));
}

/** Returns the options for `navigator.credentials.get`. The challenge of the sign-in is that of the passkey too. */
export async function requestOptions(
  { rpId }: PasskeySite,
  challenge: string,
  passkeys: readonly VerifiedFactor[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return await generateAuthenticationOptions({
    rpID: rpId,
    challenge: bytesOf(Buffer.from(challenge, 'base64url')),
    timeout: timeoutMs,
    allowCredentials: passkeys.flatMap(descriptorOf),
    userVerification: 'preferred',
  });
}

/** Returns how often the passkey has been used now, or null if the response does not prove it for this site and challenge. */
export async function checkUsed(
  { rpId, origins }: PasskeySite,
  response: BrowserJson,
  challenge: string,
  { credential_id: id, public_key: publicKey, sign_count: counter }: VerifiedFactor,
  log: Log,
): Promise<number | null> {
  if (id === null || publicKey === null || counter === null) return null;
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      credential: { id, publicKey: bytesOf(publicKey), counter },
      requireUserVerification: false,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch (err) {
    log.warn({ err }, 'passkey not accepted');
    return null;
  }
}

/** Reports whether a factor is a passkey that browsers offer on this site. */
export function isOfSite({ type, rp_id }: VerifiedFactor, site: PasskeySite | null): boolean {
  return type === 'passkey' && site !== null && rp_id === site.rpId;
}

function descriptorOf({ credential_id: id, transports }: VerifiedFactor) {
  return id === null ? [] : [{ id, transports: [...transports] }];
}

/** Copies bytes into a buffer of their own, as the library's types want them. */
function bytesOf(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(buffer);
}
