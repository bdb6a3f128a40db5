/**
 * The key of the tests, for BACKOFFICE_ENCRYPTION_KEY. Services and commands share it, so that each opens what others
 * sealed.
 */
export const testEncryptionKey = Buffer.alloc(32, 'tests').toString('base64');
