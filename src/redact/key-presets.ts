import { isSecretName } from './patterns/secret-names.ts'
import type { KeyTest } from './keys.ts'

/**
 * The name of a set of keys.
 *
 * - `secrets`: names whose values are secrets, with case, `-`, `_` and `.` ignored: names that end in `password`, `passphrase`,
 *   `secret`, `token`, `apiKey`, `credentials`, `privateKey`, `connectionString` and similar ones (`DB_PASSWORD`), whose last word is `pass`,
 *   `pwd`, `otp`, `cvv`, `dsn` or `jwt` (`SMTP_PASS`), the same with a suffix (`passwordHash`, `API_TOKEN_V2`), `auth`, `signature`, `sessionId`,
 *   and credential headers (`authorization`, `cookie`). `pageToken`, `tokens` and `pin` are not redacted. The guide to
 *   redaction has the full list.
 */
export type KeyPresetName = 'secrets'

/** A preset in a list of keys. As a string it would be the key of that name. */
export interface KeyPreset {
  /** Which preset. */
  readonly preset: KeyPresetName
}

/** The test of each preset. */
export const keyPresets: Readonly<Record<KeyPresetName, KeyTest>> = { secrets: isSecretName }
