/** What the operator has set about accounts. */
export interface Rules {
  /** Whether roles have less than the API contract gives them, and weak passwords are refused instead of logged. */
  readonly strictRoles: boolean;
  /** How many characters a new password must have with strict roles. */
  readonly passwordMinLength: number;
  /** How long a session lasts without a request. */
  readonly sessionIdleSeconds: number;
}

/** Where the service is. */
export interface Site {
  /** The service's own URL, if BACKOFFICE_PUBLIC_URL sets it. */
  readonly publicUrl: string | undefined;
  /** Other origins whose pages may use the API, and its passkeys. */
  readonly corsOrigins: readonly string[];
}
