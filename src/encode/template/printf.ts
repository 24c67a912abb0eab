import { RecentCache } from '../recent.ts'

/** The type of a placeholder: `s` text, `d i f` a number, `j` JSON, `o O` an inspected value, `c` CSS, which writes nothing. */
export type PlaceholderKind = 's' | 'd' | 'i' | 'f' | 'j' | 'o' | 'O' | 'c'

/** A parsed message with placeholders. */
export interface Format {
  /** The original message, which is written unchanged if there are no arguments. */
  readonly source: string
  /** Texts and placeholders, in order. A text contains `%` for `%%`. */
  readonly parts: readonly (string | { readonly kind: PlaceholderKind })[]
  /** The types of the placeholders, in order. */
  readonly kinds: readonly PlaceholderKind[]
}

/** A formatted message, and the number of arguments that it used. */
export interface Formatted {
  readonly text: string
  readonly used: number
}

/** Renders a redacted value that is not plain text or a number: every value of `%j %o %O`, and objects and functions of `%s`. */
export type InsertValue = (value: unknown, kind: 's' | 'j' | 'o' | 'O') => string

/**
 * Parses `%s %d %i %f %j %o %O %c %%`. Returns undefined if the message contains none of them and so uses no arguments. Results are cached
 * for several hundred messages.
 */
export function parsePrintf(message: string): Format | undefined {
  if (!message.includes('%')) return undefined
  let format = parsed.get(message)
  if (format === undefined) {
    format = parse(message) ?? plain
    parsed.keep(message, format)
  }
  return format === plain ? undefined : format
}

const plain: Format = { source: '', parts: [], kinds: [] }
const parsed = new RecentCache<Format>()

function parse(message: string): Format | undefined {
  const parts: Format['parts'][number][] = []
  let text = ''
  let from = 0
  for (let at = message.indexOf('%'); at >= 0 && at < message.length - 1; at = message.indexOf('%', at)) {
    const letter = message.charAt(at + 1)
    const kind = kinds.get(letter)
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
export function formatPrintf(format: Format, args: readonly unknown[], insert: InsertValue): Formatted {
  if (args.length === 0) return { text: format.source, used: 0 }
  let text = ''
  let used = 0
  for (const part of format.parts) {
    if (typeof part === 'string') text += part
    else if (used === args.length) text += `%${part.kind}`
    else text += inserted(args[used++], part.kind, insert)
  }
  return { text, used }
}

const kinds = new Map(
  (['s', 'd', 'i', 'f', 'j', 'o', 'O', 'c'] as const).map((kind) => [kind as string, { kind }] as const),
)

function inserted(value: unknown, kind: PlaceholderKind, insert: InsertValue): string {
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
      return numberText(value, kind)
    default:
      return insert(value, kind)
  }
}

function numberText(value: unknown, kind: 'd' | 'i' | 'f'): string {
  if (typeof value === 'bigint' && kind !== 'f') return String(value)
  if (typeof value === 'object' && value !== null && !isOneValue(value)) return 'NaN'
  try {
    return String(kind === 'd' ? Number(value) : kind === 'i' ? parseInt(value as string) : parseFloat(value as string))
  } catch {
    return 'NaN' // a symbol, or an object whose conversion throws
  }
}

/**
 * Returns whether an object represents a single number or text. Other objects are not converted: that would run user code, and an array can
 * be a proxy with an arbitrarily large length, so that a join would never finish.
 */
function isOneValue(value: object): boolean {
  try {
    return single.has(Object.prototype.toString.call(value))
  } catch {
    return false // a revoked proxy
  }
}

const single: ReadonlySet<string> = new Set(['[object Date]', '[object Number]', '[object String]', '[object Boolean]'])
