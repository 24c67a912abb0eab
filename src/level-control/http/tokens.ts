import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { typeName } from '../../options/option-checks.ts'

/** A token that may change levels. */
export interface LevelsToken {
  /** The secret that a client sends in `Authorization: Bearer …`: at least 16 visible ASCII characters, without spaces. */
  readonly token: string
  /** Who has the token. Records of changes contain it as `sluice.levels.by`. 1 to 64 characters. */
  readonly label: string
}

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** The owner of a valid token. */
export interface TokenOwner {
  /** Undefined for a token without a label. */
  readonly label: string | undefined
}

/** Verifies tokens. It keeps keyed digests only, so a token cannot be printed by accident, or be found in a heap snapshot. */
export class TokenVerifier {
  readonly #key: Promise<HmacKey>
  readonly #owners: Promise<readonly { readonly owner: TokenOwner; readonly digest: Uint8Array }[]>

  constructor(token: string | readonly LevelsToken[]) {
    this.#key = newKey()
    const tokens = typeof token === 'string' ? [{ token, label: undefined }] : token
    const digests = tokens.map(async ({ token: secret, label }) => ({
      owner: { label },
      digest: await this.#digestOf(secret),
    }))
    this.#owners = Promise.all(digests)
    // A runtime without Web Crypto rejects each request instead of ending the process.
    this.#owners.catch(() => {})
  }

  /**
   * Returns the owner of the token in an `Authorization` header; undefined if there is none. The time does not depend on how similar the
   * token is to a valid one: digests with a random key are compared, all of them and all of their bytes.
   */
  async ownerOf(authorization: string | undefined): Promise<TokenOwner | undefined> {
    const owners = await this.#owners
    const [, sent] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '') ?? []
    const digest = await this.#digestOf(sent ?? '')
    let found: TokenOwner | undefined
    for (const { owner, digest: expected } of owners) if (areEqual(digest, expected)) found = owner
    return found
  }

  async #digestOf(text: string): Promise<Uint8Array> {
    return new Uint8Array(await crypto.subtle.sign('HMAC', await this.#key, new TextEncoder().encode(text)))
  }
}

/** Checks the option `token`. No message contains a token. */
export function checkToken(value: unknown, where: string, problems: ConfigurationProblem[]): void {
  if (typeof value === 'string') return checkSecret(value, where, problems)
  if (!Array.isArray(value)) {
    const expected = `must be a string, or an array such as [{ token: '…', label: 'on-call' }], not ${typeName(value)}`
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: expected })
    return
  }
  if (value.length === 0) {
    problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message: 'must have at least one token' })
  }
  const [secrets, labels] = [new Set<unknown>(), new Set<unknown>()]
  for (const [index, item] of value.entries()) {
    const path = `${where}[${index}]`
    if (typeof item !== 'object' || item === null) {
      problems.push({
        code: 'SLUICE_OPTION_TYPE',
        path,
        message: `must be { token, label }, not ${typeName(item)}`,
      })
      continue
    }
    const { token, label } = item as Partial<Record<keyof LevelsToken, unknown>>
    if (typeof token === 'string') checkSecret(token, `${path}.token`, problems)
    else addTypeProblem(`${path}.token`, token, problems)
    checkLabel(label, token, `${path}.label`, problems)
    addDuplicate(secrets, token, `${path}.token`, problems)
    addDuplicate(labels, label, `${path}.label`, problems)
  }
}

const minTokenLength = 16
const maxTokenLength = 1_024
const maxLabelLength = 64

function checkSecret(token: string, path: string, problems: ConfigurationProblem[]): void {
  if (token.length < minTokenLength || token.length > maxTokenLength) {
    const advice = token.length < minTokenLength ? '; generate one with: openssl rand -hex 32' : ''
    const message = `must have ${minTokenLength} to ${maxTokenLength} characters, not ${token.length}${advice}`
    problems.push({ code: 'SLUICE_OPTION_RANGE', path, message })
  } else if (!/^[\x21-\x7e]+$/.test(token)) {
    const message = 'must have visible ASCII characters only, without spaces, because it is sent in a header'
    problems.push({ code: 'SLUICE_OPTION_RANGE', path, message })
  }
}

function checkLabel(label: unknown, token: unknown, path: string, problems: ConfigurationProblem[]): void {
  if (typeof label !== 'string') return addTypeProblem(path, label, problems)
  if (label === '' || label.length > maxLabelLength) {
    const message = `must have 1 to ${maxLabelLength} characters, not ${label.length}`
    problems.push({ code: 'SLUICE_OPTION_RANGE', path, message })
  } else if (typeof token === 'string' && token !== '' && (label.includes(token) || token.includes(label))) {
    const message = 'must not be a part of the token, because it is logged'
    problems.push({ code: 'SLUICE_OPTION_RANGE', path, message })
  }
}

function addTypeProblem(path: string, value: unknown, problems: ConfigurationProblem[]): void {
  problems.push({ code: 'SLUICE_OPTION_TYPE', path, message: `must be a string, not ${typeName(value)}` })
}

function addDuplicate(seen: Set<unknown>, value: unknown, path: string, problems: ConfigurationProblem[]): void {
  if (seen.has(value)) problems.push({ code: 'SLUICE_OPTION_RANGE', path, message: 'must be used once only' })
  if (typeof value === 'string') seen.add(value)
}

async function newKey(): Promise<HmacKey> {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length
  for (let index = 0; index < one.length; index++) difference |= one[index]! ^ (other[index] ?? 0)
  return difference === 0
}
