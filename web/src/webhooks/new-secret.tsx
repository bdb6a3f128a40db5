import { SecretOnce } from '../form/secret.tsx';
import styles from './webhooks-page.module.css';

interface NewSecretProps {
  readonly title: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows the secret of a webhook for the only time. */
export function NewSecret({ title, secret, onClose }: NewSecretProps) {
  return (
    <SecretOnce title={title} label="Secret" secret={secret} onClose={onClose}>
      <p className={styles.text}>
        The receiver verifies with it that a message is from here. Each message is signed as{' '}
        <a className={styles.link} href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
          Standard Webhooks
        </a>{' '}
        says, in the header <code>webhook-signature</code>.
      </p>
    </SecretOnce>
  );
}
