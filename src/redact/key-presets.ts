import { isSecretName } from './patterns/secret-names.ts'
import type { KeyTest } from './key-test.ts'

/**
 * The name of a key preset.
 *
 * - `secrets`: names whose values are secrets, ignoring case, `-`, `_` and `.`: names that end in `password`, `passphrase`, `secret`,
 *   `token`, `apiKey`, `credentials`, `privateKey`, `connectionString` and similar ones (`DB_PASSWORD`), whose last word is `pass`, `pwd`,
 *   `otp`, `cvv`, `dsn` or `jwt` (`SMTP_PASS`), the same with a suffix (`passwordHash`, `API_TOKEN_V2`), `auth`, `signature`, `sessionId`,
 *   and credential headers (`authorization`, `cookie`). `pageToken`, `tokens` and `pin` are not redacted. The redaction guide has the full
 *   list.
 */
export type KeyPresetName = 'secrets'

/** A preset in a list of keys. A plain string in that list is a key instead. */
export interface KeyPreset {
  /** The name of the preset. */
  readonly preset: KeyPresetName
}

/** The test of each preset. */
export const keyPresets: Readonly<Record<KeyPresetName, KeyTest>> = { secrets: isSecretName }
