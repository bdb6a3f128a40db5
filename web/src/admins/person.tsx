import styles from './admins-page.module.css';

interface PersonProps {
  readonly name: string;
  readonly email: string;
  readonly isSelf: boolean;
}

/** The name and the e-mail of an admin, in two lines. */
export function Person({ name, email, isSelf }: PersonProps) {
  return (
    <span className={styles.person}>
      <span className={styles.name}>
        <span className={styles.nameText} title={name}>
          {name || email}
        </span>
        {isSelf && <span className={styles.you}>You</span>}
      </span>
      <span className={styles.email} title={email}>
        {email}
      </span>
    </span>
  );
}
