const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in the browser's zone. Hovering shows the exact moment. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at.replace('T', ' ').replace('Z', ' UTC')}>
      {local.format(new Date(at))}
    </time>
  );
}
