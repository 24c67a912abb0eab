import { credentialHeaders } from '../headers.ts'
import {
  harmlessPasses,
  harmlessTokens,
  secretLastWords,
  nameEnds,
  nameSuffixes,
  passPrefixes,
  wholeNames,
} from './secret-name-lists.ts'

const whole: ReadonlySet<string> = new Set(wholeNames)
const headers: ReadonlySet<string> = new Set(Array.from(credentialHeaders, normalized))

/** Returns whether the value of a header with this name is a credential, by the same rule as below members named `headers`. */
export function isSecretHeader(name: string): boolean {
  return headers.has(normalized(name))
}

/** Returns whether the value of a name is a secret. Prefixes such as `db_` and `x-`, and suffixes such as `_OLD` and `2`, are allowed. */
export function isSecretName(name: string): boolean {
  if (!stem.test(normalized(name))) return false
  if (isSecret(name)) return true
  const shorter = withoutSuffixes(name)
  return shorter !== name && isSecret(shorter)
}

/** A part of every name in the lists. Few other names contain one of these parts. */
const stem =
  /token|pass|key|pw|secr|cred|auth|sig|cook|sess|otp|cv[cv]|dsn|jwt|[cx]srf|conn|bear|code|phrase|mnem|asser/

function isSecret(name: string): boolean {
  const plain = normalized(name)
  return whole.has(plain) || headers.has(plain) || endsInSecret(name, plain)
}

function endsInSecret(name: string, plain: string): boolean {
  if (plain.endsWith('token')) return !isHarmlessToken(name, plain)
  return ends.test(plain) || prefixedPass.test(name) || (lastWord.test(name) && !harmlessPass.test(name))
}

/** Returns whether a name is used only for secrets, so that a value after it in a sentence is likely to be one. */
export function isPlainSecretName(name: string): boolean {
  const shorter = withoutSuffixes(name)
  return [name, shorter].some((each) => {
    const plain = normalized(each)
    return !plain.endsWith('token') || longTokens.test(plain) ? endsInSecret(each, plain) : false
  })
}

/** Names of tokens that are not used in sentences, unlike in `token: expired`, which is usually a message and not a secret. */
const longTokens = /(?:access|api|auth|bearer|refresh)token$/

/** Returns whether a name is just `pass`, which test reports use for a count. */
export function isOnlyPassword(name: string): boolean {
  return normalized(name) === 'pass'
}

/** Returns whether the word before `token` means that it is not a secret but a page, a token of a language model or a signal. */
function isHarmlessToken(name: string, plain: string): boolean {
  return harmlessToken.test(name) || /(?:page|next|continuation)token$/.test(plain)
}

function alternatives(words: readonly string[]): string {
  return words.join('|')
}

/**
 * Returns an expression for words in lower case after a separator, or capitalized or in upper case after a separator, a lower-case letter
 * or a digit. At the start of a name both forms match.
 */
function wordStart(words: readonly string[]): string {
  const capitalized = words.map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`)
  const upper = words.map((word) => word.toUpperCase())
  const all = alternatives([...words, ...capitalized, ...upper])
  return `(?:(?<![A-Za-z0-9])(?:${all})|(?<=[a-z0-9])(?:${alternatives([...capitalized, ...upper])}))`
}

const ends = new RegExp(`(?:${alternatives(nameEnds)})$`)
const prefixedPass = new RegExp(`(?:^|[-_.])(?:${alternatives(passPrefixes)})(?:pass|pwd|pw)$`, 'i')
const lastWord = new RegExp(`${wordStart(secretLastWords)}$`)
const harmlessPass = new RegExp(`${wordStart(harmlessPasses)}[-_.]?[Pp](?:ass|ASS)$`)
const harmlessToken = new RegExp(`${wordStart(harmlessTokens)}[-_.]?[Tt](?:oken|OKEN)$`)

const suffix = new RegExp(`[-_.]?(?:(?:(?<!cv)v)?\\d{1,4}|${alternatives(nameSuffixes)})$`, 'i')
const maxSuffixes = 2

function withoutSuffixes(name: string): string {
  let shorter = name
  for (let count = 0; count < maxSuffixes && suffix.test(shorter); count++) shorter = shorter.replace(suffix, '')
  return shorter
}

/**
 * The source of an expression that matches the last three characters of each name, in both cases, with its suffixes. Most other names have
 * different endings.
 */
export const nameEndings: string = nameEnding([...wholeNames, ...headers, ...nameEnds, ...secretLastWords])

function nameEnding(names: readonly string[]): string {
  const suffixSource = String.raw`[-_.]?(?:[vV]?\d{1,4}|${byLastLetter(nameSuffixes)})`
  return `(?:${byLastLetter(names.map((name) => name.slice(-3)))})(?:${suffixSource}){0,2}`
}

/** Returns alternatives, grouped by their last letter, because a lookbehind compares that letter first. */
function byLastLetter(words: readonly string[]): string {
  const groups = Map.groupBy(new Set(words), (word) => word.at(-1)!)
  return Array.from(groups, ([last, all]) => {
    const before = alternatives(all.map((word) => eitherCase(word.slice(0, -1))))
    return `(?:${before})${eitherCase(last)}`
  }).join('|')
}

function eitherCase(text: string): string {
  return Array.from(text, (unit) => (/[a-z]/.test(unit) ? `[${unit}${unit.toUpperCase()}]` : unit)).join('')
}

function normalized(name: string): string {
  const lower = name.toLowerCase()
  return /[-_.]/.test(lower) ? lower.replaceAll(/[-_.]/g, '') : lower
}
