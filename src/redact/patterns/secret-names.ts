import { credentialHeaders } from '../headers.ts'
import {
  harmlessPassWords,
  harmlessTokenWords,
  secretLastWords,
  secretNameEndings,
  nameSuffixes,
  passPrefixes,
  secretWholeNames,
} from './secret-name-lists.ts'

const wholeNameSet: ReadonlySet<string> = new Set(secretWholeNames)
const headerNameSet: ReadonlySet<string> = new Set(Array.from(credentialHeaders, normalizeName))

/** Returns whether a name is that of a credential header, ignoring case, `-`, `_` and `.`. */
export function isSecretHeader(name: string): boolean {
  return headerNameSet.has(normalizeName(name))
}

/**
 * Returns whether a name is that of a secret. Suffixes such as `_OLD` and `2` are allowed, and prefixes such as `db_` and `x-` too if the
 * name is not secret only as a whole.
 */
export function isSecretName(name: string): boolean {
  if (!partOfSecretNames.test(normalizeName(name))) return false
  if (isListedName(name)) return true
  const shorter = withoutSuffixes(name)
  return shorter !== name && isListedName(shorter)
}

/** Every name in the lists contains one of these parts. Few other names do, so that most need no further test. */
const partOfSecretNames =
  /token|pass|key|pw|secr|cred|auth|sig|cook|sess|otp|cv[cv]|dsn|jwt|[cx]srf|conn|bear|code|phrase|mnem|asser/

/** Returns whether a name, without regard to suffixes, is that of a secret. */
function isListedName(name: string): boolean {
  const normalizedName = normalizeName(name)
  return wholeNameSet.has(normalizedName) || headerNameSet.has(normalizedName) || endsInSecret(name, normalizedName)
}

/** Returns whether a name ends with the name of a secret. */
function endsInSecret(name: string, normalizedName: string): boolean {
  if (normalizedName.endsWith('token')) return !isHarmlessToken(name, normalizedName)
  return (
    secretEnding.test(normalizedName) ||
    prefixedPass.test(name) ||
    (secretLastWord.test(name) && !harmlessPass.test(name))
  )
}

/** Returns whether a name is used only for secrets, so that the text after it in a sentence is likely to be a secret. */
export function isUnambiguousSecretName(name: string): boolean {
  const shorter = withoutSuffixes(name)
  return [name, shorter].some((candidate) => {
    const normalizedName = normalizeName(candidate)
    return !normalizedName.endsWith('token') || unambiguousTokens.test(normalizedName)
      ? endsInSecret(candidate, normalizedName)
      : false
  })
}

/** Names of tokens that are rare in sentences. After `token` alone, as in `token: expired`, the text is usually not a secret. */
const unambiguousTokens = /(?:access|api|auth|bearer|refresh)token$/

/** Returns whether a name is `pass` and nothing else, which test reports use for a count. */
export function isPassName(name: string): boolean {
  return normalizeName(name) === 'pass'
}

/** Returns whether the word before `token` makes it harmless: a page, a token of a language model or a signal. */
function isHarmlessToken(name: string, normalizedName: string): boolean {
  return harmlessToken.test(name) || /(?:page|next|continuation)token$/.test(normalizedName)
}

function alternatives(words: readonly string[]): string {
  return words.join('|')
}

/**
 * Returns the source of an expression that matches the words where a word of a name can begin. At the start of a name and after a
 * separator, they match in lower case, capitalized and in upper case; after a lower-case letter or a digit, not in lower case.
 */
function wordSource(words: readonly string[]): string {
  const capitalized = words.map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`)
  const upper = words.map((word) => word.toUpperCase())
  const all = alternatives([...words, ...capitalized, ...upper])
  return `(?:(?<![A-Za-z0-9])(?:${all})|(?<=[a-z0-9])(?:${alternatives([...capitalized, ...upper])}))`
}

const secretEnding = new RegExp(`(?:${alternatives(secretNameEndings)})$`)
const prefixedPass = new RegExp(`(?:^|[-_.])(?:${alternatives(passPrefixes)})(?:pass|pwd|pw)$`, 'i')
const secretLastWord = new RegExp(`${wordSource(secretLastWords)}$`)
const harmlessPass = new RegExp(`${wordSource(harmlessPassWords)}[-_.]?[Pp](?:ass|ASS)$`)
const harmlessToken = new RegExp(`${wordSource(harmlessTokenWords)}[-_.]?[Tt](?:oken|OKEN)$`)

const nameSuffix = new RegExp(`[-_.]?(?:(?:(?<!cv)v)?\\d{1,4}|${alternatives(nameSuffixes)})$`, 'i')
const maxSuffixes = 2

/** Returns a name without its last suffixes, at most two. */
function withoutSuffixes(name: string): string {
  let shorter = name
  for (let count = 0; count < maxSuffixes && nameSuffix.test(shorter); count++)
    shorter = shorter.replace(nameSuffix, '')
  return shorter
}

/**
 * The source of an expression that matches the last three characters of each name of a secret, in lower and upper case, and suffixes after
 * them. Most other names have different endings.
 */
export const nameEndingSource: string = endingSource([
  ...secretWholeNames,
  ...headerNameSet,
  ...secretNameEndings,
  ...secretLastWords,
])

function endingSource(names: readonly string[]): string {
  const suffixSource = String.raw`[-_.]?(?:[vV]?\d{1,4}|${byLastLetter(nameSuffixes)})`
  return `(?:${byLastLetter(names.map((name) => name.slice(-3)))})(?:${suffixSource}){0,2}`
}

/** Returns words as alternatives, grouped by their last letter, because a lookbehind compares that letter first. */
function byLastLetter(words: readonly string[]): string {
  const groups = Map.groupBy(new Set(words), (word) => word.at(-1)!)
  return Array.from(groups, ([last, all]) => {
    const before = alternatives(all.map((word) => eitherCase(word.slice(0, -1))))
    return `(?:${before})${eitherCase(last)}`
  }).join('|')
}

/** Returns the source of an expression that matches a text in lower and upper case, without the flag `i`. */
function eitherCase(text: string): string {
  return Array.from(text, (unit) => (/[a-z]/.test(unit) ? `[${unit}${unit.toUpperCase()}]` : unit)).join('')
}

function normalizeName(name: string): string {
  const lower = name.toLowerCase()
  return /[-_.]/.test(lower) ? lower.replaceAll(/[-_.]/g, '') : lower
}
