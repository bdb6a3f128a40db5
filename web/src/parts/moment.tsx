const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Returns a time in the browser's zone as a text. */
export function localTime(at: string): string {
  return local.format(new Date(at));
}

/** A time in the browser's zone. Hovering shows the exact moment. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at.replace('T', ' ').replace('Z', ' UTC')}>
      {localTime(at)}
    </time>
  );
}
