import { Icon } from '../icon.tsx';
import styles from './changes.module.css';
import { diffTexts } from './text-diff.ts';

/** A field and its values. A value that is undefined was or is not there. */
export interface Change {
  readonly name: string;
  readonly was: unknown;
  readonly is: unknown;
}

/** The fields of a change, each with its value before and after. Long texts and JSON show what differs within. */
export function Changes({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <dl className={styles.changes}>
      {changes.map((change) => (
        <div key={change.name} className={styles.change}>
          <dt className={styles.name}>{change.name}</dt>
          <dd className={styles.value}>
            <Values {...change} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Values({ was, is }: Change) {
  if (was === undefined || is === undefined) {
    const [kind, value] = was === undefined ? (['added', is] as const) : (['removed', was] as const);
    return <Whole kind={kind} value={value} />;
  }
  if (isShort(was) && isShort(is)) {
    return (
      <>
        <Whole kind="removed" value={was} /> <Icon name="forward" /> <Whole kind="added" value={is} />
      </>
    );
  }
  return (
    <span className={styles.text}>
      {diffTexts(asText(was), asText(is)).map(({ kind, text }, index) =>
        kind === 'same' ? text : <Part key={index} kind={kind} text={text} />,
      )}
    </span>
  );
}

interface WholeProps {
  readonly kind: 'removed' | 'added';
  readonly value: unknown;
}

function Whole({ kind, value }: WholeProps) {
  const text = asText(value);
  if (text === '') return <span className={styles.empty}>empty</span>;
  return (
    <span className={styles.text}>
      <Part kind={kind} text={text} />
    </span>
  );
}

function Part({ kind, text }: { readonly kind: 'removed' | 'added'; readonly text: string }) {
  return kind === 'removed' ? (
    <del className={styles.removed}>{text}</del>
  ) : (
    <ins className={styles.added}>{text}</ins>
  );
}

const shortLength = 24;

const isShort = (value: unknown) => {
  const text = asText(value);
  return text.length <= shortLength && !text.includes('\n');
};

/** A text as it is, anything else as JSON with a line for each field. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
