import { Recent } from '../recent.ts'

/** What a placeholder asks for: `s` text, `d i f` a number, `j` JSON, `o O` an inspected value, `c` nothing (CSS). */
export type PlaceholderKind = 's' | 'd' | 'i' | 'f' | 'j' | 'o' | 'O' | 'c'

/** A message with placeholders, parsed. */
export interface Format {
  /** The message as it was written: what it stays without arguments. */
  readonly source: string
  /** Texts and placeholders, in order. `%%` is part of a text already. */
  readonly parts: readonly (string | { readonly kind: PlaceholderKind })[]
  /** What its placeholders ask for, in order. */
  readonly kinds: readonly PlaceholderKind[]
}

/** A formatted message, and how many of the arguments it took. */
export interface Formatted {
  readonly text: string
  readonly used: number
}

/** Renders what is no plain text or number, redacted: every value of `%j %o %O`, and objects and functions of `%s`. */
export type InsertValue = (value: unknown, kind: 's' | 'j' | 'o' | 'O') => string

/**
 * Parses `%s %d %i %f %j %o %O %c %%`. undefined: the message holds none of them and takes no arguments. Results are kept
 * for some hundreds of messages.
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
const parsed = new Recent<Format>()

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
 * The message with its arguments, as node's `util.format` says, with these differences: a BigInt has no `n` behind it,
 * -0 is 0 (both as everywhere else in a record), and objects and functions appear as `insert` renders them, because
 * that is redacted. Arguments that no placeholder takes are not in the text. A placeholder without an argument stays
 * as it is; without any argument the whole message does, `%%` included. Never throws because of a value.
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
 * Whether an object stands for one number or text. Others are not converted: that would run code of theirs, and an array can be a
 * proxy of any length, which joining would not come to the end of.
 */
function isOneValue(value: object): boolean {
  try {
    return single.has(Object.prototype.toString.call(value))
  } catch {
    return false // a revoked proxy
  }
}

const single: ReadonlySet<string> = new Set(['[object Date]', '[object Number]', '[object String]', '[object Boolean]'])
