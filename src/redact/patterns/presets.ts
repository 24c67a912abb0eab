import { card } from './card.ts'
import { connectionString } from './connection-string.ts'
import { credentials } from './credentials.ts'
import { email } from './email.ts'
import { iban } from './iban.ts'
import { ipAddress } from './ip-address.ts'
import { awsKey, githubToken, googleApiKey, slackToken, stripeKey } from './issued-tokens.ts'
import { jwt } from './jwt.ts'
import { phone } from './phone.ts'
import { privateKey } from './private-key.ts'
import { ssn } from './ssn.ts'
import type { PatternPreset } from './text-pattern.ts'

/**
 * The name of a pattern preset.
 *
 * Secrets:
 * - `credentials`: `Bearer` and `Basic` credentials, values after the names of secrets in headers, URLs, forms, settings and JSON,
 *   passwords of URLs, vendor-prefixed tokens, private keys. It includes the presets for secrets below, except for `jwt`,
 *   and except for names with a blank in connection strings, such as `Access Key=…`.
 * - `jwt`: JSON Web Tokens (RFC 7519).
 * - `privateKey`: private keys in PEM, of OpenSSH and of OpenPGP.
 * - `connectionString`: passwords and keys in connection strings and URLs.
 * - `awsKey`: access key ids of AWS.
 * - `githubToken`: tokens of GitHub.
 * - `slackToken`: tokens and webhook URLs of Slack.
 * - `stripeKey`: secret and restricted keys of Stripe, and webhook secrets.
 * - `googleApiKey`: API keys, client secrets and access tokens of Google.
 *
 * Personal data:
 * - `card`: payment card numbers, by range and check digit (ISO/IEC 7812).
 * - `iban`: bank account numbers, by country, length and check digits (ISO 13616).
 * - `ssn`: social security numbers of the United States, with separators.
 * - `email`: email addresses (RFC 5321, RFC 6531).
 * - `phone`: telephone numbers with a country code (E.164), and North American ones.
 * - `ipAddress`: IPv4 and IPv6 addresses.
 */
export type PatternPresetName =
  | 'credentials'
  | 'jwt'
  | 'privateKey'
  | 'connectionString'
  | 'awsKey'
  | 'githubToken'
  | 'slackToken'
  | 'stripeKey'
  | 'googleApiKey'
  | 'card'
  | 'iban'
  | 'ssn'
  | 'email'
  | 'phone'
  | 'ipAddress'

/** All presets by name. */
export const patternPresets: Readonly<Record<PatternPresetName, PatternPreset>> = {
  credentials,
  jwt,
  privateKey,
  connectionString,
  awsKey,
  githubToken,
  slackToken,
  stripeKey,
  googleApiKey,
  card,
  iban,
  ssn,
  email,
  phone,
  ipAddress,
}
