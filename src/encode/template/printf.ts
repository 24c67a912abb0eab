import { RecentCache } from '../recent-cache.ts'
import { scalarOf } from '../walk/scalars.ts'

/** The type of a placeholder: `s` text, `d i f` a number, `j` JSON, `o O` an inspected value, `c` CSS, which writes nothing. */
export type PlaceholderKind = 's' | 'd' | 'i' | 'f' | 'j' | 'o' | 'O' | 'c'

/** A parsed message with placeholders. */
export interface PrintfFormat {
  /** The original message, which is written unchanged if there are no arguments. */
  readonly source: string
  /** Texts and placeholders, in order. A text contains `%` for `%%`. */
  readonly parts: readonly (string | { readonly kind: PlaceholderKind })[]
  /** The types of the placeholders, in order. */
  readonly kinds: readonly PlaceholderKind[]
}

/** A formatted message, and the number of arguments that it used. */
export interface FormattedMessage {
  readonly text: string
  readonly usedArgCount: number
}

/** Returns the redacted text of an argument that may contain other values: any argument of `%j %o %O`, an object or function of `%s`. */
export type InsertValue = (value: unknown, kind: 's' | 'j' | 'o' | 'O') => string

/**
 * Parses `%s %d %i %f %j %o %O %c %%`. Returns undefined if the message contains none of them and so uses no arguments. Results are cached
 * for several hundred messages.
 */
export function parsePrintf(message: string): PrintfFormat | undefined {
  if (!message.includes('%')) return undefined
  let format = parsedFormats.get(message)
  if (format === undefined) {
    format = parse(message) ?? noPlaceholders
    parsedFormats.set(message, format)
  }
  return format === noPlaceholders ? undefined : format
}

const noPlaceholders: PrintfFormat = { source: '', parts: [], kinds: [] }
const parsedFormats = new RecentCache<PrintfFormat>()

function parse(message: string): PrintfFormat | undefined {
  const parts: PrintfFormat['parts'][number][] = []
  let text = ''
  let from = 0
  for (let at = message.indexOf('%'); at >= 0 && at < message.length - 1; at = message.indexOf('%', at)) {
    const letter = message.charAt(at + 1)
    const kind = placeholderByLetter.get(letter)
    if (kind !== undefined || letter === '%') {
      text += message.slice(from, at)
      from = at + 2
      if (kind === undefined) {
        text += '%'
      } else {
        if (text !== '') parts.push(text)
        parts.push(kind)
        text = ''
      }
    }
    at += 2
  }
  text += message.slice(from)
  if (text !== '') parts.push(text)
  if (from === 0) return undefined
  return { source: message, parts, kinds: parts.flatMap((part) => (typeof part === 'string' ? [] : [part.kind])) }
}

/**
 * Formats a message with its arguments, as Node's `util.format` does, with these differences: a BigInt has no `n` suffix and -0 is 0 (both
 * as everywhere else in a record), and objects and functions are rendered by `insert`, which redacts them. Arguments without a placeholder
 * are not in the text. A placeholder without an argument stays unchanged; without any arguments the whole message does, including `%%`.
 * No value makes it throw.
 */
export function formatPrintf(format: PrintfFormat, args: readonly unknown[], insert: InsertValue): FormattedMessage {
  if (args.length === 0) return { text: format.source, usedArgCount: 0 }
  let text = ''
  let usedArgCount = 0
  for (const part of format.parts) {
    if (typeof part === 'string') text += part
    else if (usedArgCount === args.length) text += `%${part.kind}`
    else text += insertedText(args[usedArgCount++], part.kind, insert)
  }
  return { text, usedArgCount }
}

const placeholderByLetter = new Map(
  (['s', 'd', 'i', 'f', 'j', 'o', 'O', 'c'] as const).map((kind) => [kind as string, { kind }] as const),
)

function insertedText(value: unknown, kind: PlaceholderKind, insert: InsertValue): string {
  switch (kind) {
    case 'c':
      return ''
    case 's':
      return (typeof value === 'object' && value !== null) || typeof value === 'function'
        ? insert(value, kind)
        : String(value)
    case 'd':
    case 'i':
    case 'f':
      return convertedNumber(value, kind)
    default:
      return insert(value, kind)
  }
}

/** Returns the text of an argument for a placeholder of a number. */
function convertedNumber(value: unknown, kind: 'd' | 'i' | 'f'): string {
  if (typeof value === 'bigint' && kind !== 'f') return String(value)
  const scalar =
    (typeof value === 'object' && value !== null) || typeof value === 'function' ? numericValueOf(value, kind) : value
  try {
    return String(
      kind === 'd' ? Number(scalar) : kind === 'i' ? parseInt(scalar as string) : parseFloat(scalar as string),
    )
  } catch {
    return 'NaN' // a symbol
  }
}

const { getTime } = Date.prototype

/**
 * Returns the value of a Date or wrapper object, and NaN for any other object: converting that would run user code, and an array can be a
 * proxy with an arbitrarily large length, so that converting it would never finish.
 */
function numericValueOf(value: object, kind: 'd' | 'i' | 'f'): unknown {
  try {
    const tag = Object.prototype.toString.call(value).slice('[object '.length, -1)
    // `%i` and `%f` convert the text of a Date, which does not begin with a number.
    if (tag === 'Date') return kind === 'd' ? getTime.call(value as Date) : NaN
    return wrapperTags.has(tag) ? scalarOf(value, tag) : NaN
  } catch {
    return NaN // a revoked proxy, or an object with only the tag of a Date
  }
}

const wrapperTags: ReadonlySet<string> = new Set(['Number', 'String', 'Boolean'])
