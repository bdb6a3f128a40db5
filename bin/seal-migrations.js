// `npm run seal`: records the checksums of new migrations in migrations/checksums.json, the last step before they land.
import { sealMigrations } from '../src/db/migrate/files.ts';

const names = await sealMigrations();
console.log(names.length === 0 ? 'Every migration is sealed already.' : `Sealed ${names.join(', ')}.`);
