import { isSecretName } from './patterns/secret-names.ts'
import type { KeyTest } from './redact-keys.ts'

/**
 * The name of a set of keys.
 *
 * - `secrets`: names whose values are secrets, with case, `-`, `_` and `.` ignored: `password`, `passwd`, `pwd`, `passphrase`, `secret`,
 *   `token`, `apiKey`, `credentials`, `auth`, `jwt`, `signature`, `sessionId`, `privateKey` and similar ones, names that end in one
 *   of them (`DB_PASSWORD`, `stripe_secret_key`), and credential headers (`authorization`, `cookie`, `x-api-key`). `pageToken` and
 *   `nextToken` are not redacted, nor plurals such as `tokens`.
 */
export type KeyPresetName = 'secrets'

/** A preset in a list of keys. As a string it would be the key of that name. */
export interface KeyPreset {
  /** Which preset. */
  readonly preset: KeyPresetName
}

/** The test of each preset. */
export const keyPresets: Readonly<Record<KeyPresetName, KeyTest>> = { secrets: isSecretName }
