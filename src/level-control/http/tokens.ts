import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { typeName } from '../../options/option-checks.ts'

/** A token that may change levels. */
export interface LevelsToken {
  /** The secret that a client sends in `Authorization: Bearer …`: at least 16 visible ASCII characters, without spaces. */
  readonly token: string
  /** Who has the token. Records of changes contain it as `sluice.levels.by`. 1 to 64 characters. */
  readonly label: string
}

/** The owner of a valid token. */
export interface TokenOwner {
  /** Undefined for a token without a label. */
  readonly label: string | undefined
}

/** Verifies tokens. It keeps keyed digests only, so a token cannot be printed by accident, or be found in a heap snapshot. */
export class TokenVerifier {
  // Loaded here, because most programs with this entry have no handler.
  readonly #crypto = process.getBuiltinModule('node:crypto')
  readonly #key: Uint8Array = this.#crypto.randomBytes(32)
  readonly #owners: readonly { readonly owner: TokenOwner; readonly digest: Uint8Array }[]

  constructor(token: string | readonly LevelsToken[]) {
    const tokens = typeof token === 'string' ? [{ token, label: undefined }] : token
    this.#owners = tokens.map(({ token: secret, label }) => ({ owner: { label }, digest: this.#digestOf(secret) }))
  }

  /**
   * Returns the owner of the token in an `Authorization` header; undefined for an unknown or missing token. The time does not depend on how similar the
   * token is to a valid one: digests with a random key are compared, all of them and all of their bytes.
   */
  ownerOf(authorization: string | undefined): TokenOwner | undefined {
    const [, sent] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '') ?? []
    const digest = this.#digestOf(sent ?? '')
    let found: TokenOwner | undefined
    for (const { owner, digest: expected } of this.#owners) {
      if (this.#crypto.timingSafeEqual(digest, expected)) found = owner
    }
    return found
  }

  #digestOf(text: string): Uint8Array {
    return this.#crypto.createHmac('sha256', this.#key).update(text).digest()
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
