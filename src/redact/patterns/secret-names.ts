import { credentialHeaders } from '../headers.ts'
import {
  harmlessPasses,
  harmlessTokens,
  lastWords,
  nameEnds,
  nameSuffixes,
  passPrefixes,
  wholeNames,
} from './secret-name-lists.ts'

const whole: ReadonlySet<string> = new Set(wholeNames)
const headers: ReadonlySet<string> = new Set(Array.from(credentialHeaders, normalized))

/** Whether the value of a header of this name is a credential: the rule that holds below members named `headers`. */
export function isSecretHeader(name: string): boolean {
  return headers.has(normalized(name))
}

/** Whether the value of a name is a secret, with prefixes such as `db_` and `x-`, and suffixes such as `_OLD` and `2`. */
export function isSecretName(name: string): boolean {
  if (!stem.test(normalized(name))) return false
  if (isSecret(name)) return true
  const shorter = withoutSuffixes(name)
  return shorter !== name && isSecret(shorter)
}

/** Part of every name in the lists; few other names have one. */
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

/** Whether a name means nothing but a secret, so that a value in a sentence after it is likely to be one. */
export function isPlainSecretName(name: string): boolean {
  const shorter = withoutSuffixes(name)
  return [name, shorter].some((each) => {
    const plain = normalized(each)
    return !plain.endsWith('token') || longTokens.test(plain) ? endsInSecret(each, plain) : false
  })
}

/** `token: expired` is a message more often than a secret; the names of these tokens are not used in sentences. */
const longTokens = /(?:access|api|auth|bearer|refresh)token$/

/** Whether a name is `pass` alone, which test reports use for a count. */
export function isPassAlone(name: string): boolean {
  return normalized(name) === 'pass'
}

/** The page of a list, a token of a language model, a signal: the word in front of `token` decides. */
function isHarmlessToken(name: string, plain: string): boolean {
  return harmlessToken.test(name) || /(?:page|next|continuation)token$/.test(plain)
}

function alternatives(words: readonly string[]): string {
  return words.join('|')
}

/** In lower case after a separator, in upper case after a lower-case letter or digit; at the beginning both. */
function wordStart(words: readonly string[]): string {
  const capitalized = words.map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`)
  const upper = words.map((word) => word.toUpperCase())
  const all = alternatives([...words, ...capitalized, ...upper])
  return `(?:(?<![A-Za-z0-9])(?:${all})|(?<=[a-z0-9])(?:${alternatives([...capitalized, ...upper])}))`
}

const ends = new RegExp(`(?:${alternatives(nameEnds)})$`)
const prefixedPass = new RegExp(`(?:^|[-_.])(?:${alternatives(passPrefixes)})(?:pass|pwd|pw)$`, 'i')
const lastWord = new RegExp(`${wordStart(lastWords)}$`)
const harmlessPass = new RegExp(`${wordStart(harmlessPasses)}[-_.]?[Pp](?:ass|ASS)$`)
const harmlessToken = new RegExp(`${wordStart(harmlessTokens)}[-_.]?[Tt](?:oken|OKEN)$`)

const suffix = new RegExp(`[-_.]?(?:(?:(?<!cv)v)?\\d{1,4}|${alternatives(nameSuffixes)})$`, 'i')
const mostSuffixes = 2

function withoutSuffixes(name: string): string {
  let shorter = name
  for (let count = 0; count < mostSuffixes && suffix.test(shorter); count++) shorter = shorter.replace(suffix, '')
  return shorter
}

/**
 * The source of an expression that matches the last three characters of each name, in both cases, with its suffixes. Most other names
 * do not end so.
 */
export const nameEndings: string = nameEnding([...wholeNames, ...headers, ...nameEnds, ...lastWords])

function nameEnding(names: readonly string[]): string {
  const suffixSource = String.raw`[-_.]?(?:[vV]?\d{1,4}|${byLastLetter(nameSuffixes)})`
  return `(?:${byLastLetter(names.map((name) => name.slice(-3)))})(?:${suffixSource}){0,2}`
}

/** Alternatives, with those that end in the same letter as one: a lookbehind compares that letter first. */
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
