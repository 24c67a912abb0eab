import { inspect, types } from 'node:util'
import type { TextPatterns } from '../rules/patterns/text-patterns.ts'
import { redacted } from '../rules/redact-censor.ts'
import type { ConsoleMethod } from './methods.ts'
import { copyOf, isOpaque, textInPlaceOf } from './redacted-copy.ts'

/** How many objects of one call are searched, and how deep. */
const mostObjects = 20_000
const mostDepth = 100

/** From which argument on a method shows values: what is in front is a label, by which the console counts, or a condition. */
const firstShown: Readonly<Partial<Record<ConsoleMethod, number>>> = { assert: 1, timeLog: 1, count: 1, timeEnd: 1 }
/** Methods that inspect a text too, and cut it. */
const inspectsTexts: ReadonlySet<ConsoleMethod> = new Set(['dir', 'table'])

/**
 * The arguments of a console method without what patterns find in their strings and bytes. Node shows 10,000 characters of a
 * nested string, 100 items and 50 bytes: patterns over the finished text would miss a secret that is cut. Arguments in which
 * nothing is found are returned as they are, so that they are shown as without rules.
 */
export function redactedArguments(
  method: ConsoleMethod,
  args: readonly unknown[],
  patterns: TextPatterns,
): readonly unknown[] {
  const first = firstShown[method] ?? 0
  const search = new Search(patterns)
  return args.map((value, index) => {
    if (index < first || (method === 'dir' && index > 0)) return value
    // The first text is shown whole.
    if (typeof value === 'string' && index === 0 && !inspectsTexts.has(method)) return value
    return search.redacted(value)
  })
}

class Search {
  private readonly patterns: TextPatterns
  private readonly copies = new Map<object, unknown>()
  private seen = new Set<object>()

  constructor(patterns: TextPatterns) {
    this.patterns = patterns
  }

  redacted(value: unknown): unknown {
    if (typeof value === 'string') return this.patterns.redacted(value)
    if (!isObject(value)) return value
    this.seen = new Set()
    try {
      return this.finds(value, 0) ? this.copy(value, 0) : value
    } catch {
      return textInPlaceOf(redacted) // a proxy or a getter of the program's: what it hides is not known
    }
  }

  /** Whether patterns find something in what can be shown of a value, or it is too large to be sure. */
  private finds(value: unknown, depth: number): boolean {
    if (typeof value === 'string') return this.patterns.redacted(value) !== value
    if (!isObject(value) || this.seen.has(value)) return false
    if (depth > mostDepth || this.seen.size > mostObjects) return true
    this.seen.add(value)
    if (ArrayBuffer.isView(value)) return this.patterns.findIn(value)
    if (types.isAnyArrayBuffer(value)) return this.patterns.findIn(new Uint8Array(value))
    if (isOpaque(value)) return this.finds(whole(value), depth)
    if (types.isStringObject(value)) return this.finds(String.prototype.valueOf.call(value), depth)
    for (const part of partsOf(value)) if (this.finds(part, depth + 1)) return true
    return false
  }

  private copy(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.patterns.redacted(value)
    if (!isObject(value)) return value
    if (this.copies.has(value)) return this.copies.get(value)
    if (depth > mostDepth || this.copies.size > mostObjects) return textInPlaceOf('[Object]')
    const isBytes = ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)
    if (isBytes || isOpaque(value)) {
      this.seen = new Set()
      const shown = !this.finds(value, 0)
        ? value
        : textInPlaceOf(isBytes ? redacted : this.patterns.redacted(whole(value)))
      this.copies.set(value, shown)
      return shown
    }
    return copyOf(
      value,
      (part) => this.copy(part, depth + 1),
      (made) => void this.copies.set(value, made),
    )
  }
}

/** What Node shows of an object whose inside only it can read, uncut. */
function whole(value: object): string {
  return inspect(value, { depth: 20, maxStringLength: Infinity, maxArrayLength: Infinity, breakLength: Infinity })
}

/** The values of an object's own members, of a Map's and Set's entries, and an Error's texts. No getter is called but for these. */
function* partsOf(value: object): Generator {
  if (types.isMap(value)) for (const entry of Map.prototype.entries.call(value)) yield* entry
  if (types.isSet(value)) yield* Set.prototype.values.call(value)
  if (types.isNativeError(value)) yield value.stack
  for (const key of Reflect.ownKeys(value)) yield Object.getOwnPropertyDescriptor(value, key)?.value
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
