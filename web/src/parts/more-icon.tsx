/** The icon of a menu of further actions: three dots. */
export function MoreIcon() {
  return (
    <svg width="1.25em" height="1.25em" viewBox="0 0 20 20" fill="currentColor" aria-hidden="true">
      <circle cx="4" cy="10" r="1.5" />
      <circle cx="10" cy="10" r="1.5" />
      <circle cx="16" cy="10" r="1.5" />
    </svg>
  );
}
