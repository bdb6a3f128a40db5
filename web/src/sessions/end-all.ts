/** Asks before all sessions of an admin end, in the lists of sessions and of admins. */
export const endAllOf = ({ email }: { readonly email: string }) => ({
  title: `End all sessions of ${email}?`,
  text: 'They are signed out everywhere at once, and can sign in again.',
  action: 'End all sessions',
});
