import { inspect, types, type InspectOptions } from 'node:util'
import { holdsAsBytes } from '../encode/listed-bytes.ts'
import { threw } from '../rules/threw.ts'
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
  const search = new Search(patterns, method === 'dir' ? optionsOf(args[1]) : { showHidden: showsAll(args) })
  return args.map((value, index) => {
    if (index < first || (method === 'dir' && index > 0)) return value
    // The first text is shown whole.
    if (typeof value === 'string' && index === 0 && !inspectsTexts.has(method)) return value
    const shown = search.redacted(value)
    // As an object it would be a table without rows.
    return method === 'table' && search.isHidden(value) ? redacted : shown
  })
}

/** Whether a placeholder `%o` shows what is hidden: members that are not enumerated, entries of a WeakSet, the target of a proxy. */
function showsAll([first]: readonly unknown[]): boolean {
  return typeof first === 'string' && first.includes('%o')
}

/** What options of `console.dir` are about here. */
function optionsOf(given: unknown): Shown {
  if (typeof given !== 'object' || given === null) return { asksObjects: false }
  const { getters, showHidden, showProxy } = given as InspectOptions
  return { asksObjects: false, getters: Boolean(getters), showHidden: Boolean(showHidden) || Boolean(showProxy) }
}

/** What Node shows besides values of members. */
interface Shown {
  readonly getters?: boolean
  readonly showHidden?: boolean
  /** Whether objects have their own way to be shown. Default true. */
  readonly asksObjects?: boolean
}

class Search {
  private readonly patterns: TextPatterns
  private readonly getters: boolean
  private readonly showHidden: boolean
  private readonly copies = new Map<object, unknown>()
  private seen = new Set<object>()

  /** Returns what is shown as a text. */
  private readonly inPlace: (text: string) => unknown

  constructor(patterns: TextPatterns, { getters = false, showHidden = false, asksObjects = true }: Shown) {
    this.inPlace = asksObjects ? textInPlaceOf : (text) => text
    this.patterns = patterns
    this.getters = getters
    this.showHidden = showHidden
  }

  redacted(value: unknown): unknown {
    if (typeof value === 'string') return this.patterns.redacted(value)
    if (!isObject(value)) return value
    this.seen = new Set()
    try {
      // A getter can return another value each time: what it returned once is searched and shown.
      return this.getters || this.finds(value, 0) ? this.copy(value, 0) : value
    } catch {
      return this.inPlace(redacted) // a proxy or a getter of the program's: what it hides is not known
    }
  }

  /** Whether patterns find something in what can be shown of a value, or it is too large to be sure. */
  private finds(value: unknown, depth: number): boolean {
    if (typeof value === 'string') return this.patterns.redacted(value) !== value
    if (!isObject(value) || this.seen.has(value)) return false
    if (depth > mostDepth || this.seen.size > mostObjects) return true
    this.seen.add(value)
    if (this.isHidden(value)) return true
    if (isBytes(value)) return this.finds(namedMembers(value), depth)
    if (this.isOpaque(value)) return this.findsInside(value)
    if (types.isStringObject(value)) return this.finds(String.prototype.valueOf.call(value), depth)
    for (const part of partsOf(value)) if (this.finds(part, depth + 1)) return true
    return false
  }

  private copy(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.patterns.redacted(value)
    if (!isObject(value)) return value
    if (this.copies.has(value)) return this.copies.get(value)
    if (depth > mostDepth || this.copies.size > mostObjects) return this.inPlace('[Object]')
    if (this.isHidden(value) || isBytes(value) || this.isOpaque(value)) {
      const shown = this.inPlaceOf(value)
      this.copies.set(value, shown)
      return shown
    }
    return copyOf(value, {
      part: (part) => this.copy(part, depth + 1),
      begun: (made) => void this.copies.set(value, made),
      read: this.getters ? (get) => this.read(() => get.call(value), depth) : undefined,
    })
  }

  /** Whether bytes, or a list of their numbers, hold what patterns find: no text shows it as such. */
  isHidden(value: unknown): boolean {
    if (ArrayBuffer.isView(value)) {
      const showsBuffer = this.showHidden || types.isDataView(value)
      return this.patterns.findIn(showsBuffer ? new Uint8Array(value.buffer) : value)
    }
    if (types.isAnyArrayBuffer(value)) return this.patterns.findIn(new Uint8Array(value))
    if (types.isProxy(value)) return false
    const list = types.isSet(value) ? [...Set.prototype.values.call(value)] : value
    return Array.isArray(list) && holdsAsBytes(list, list.length, list.length, this.patterns)
  }

  private isOpaque(value: object): boolean {
    // With both options, Node calls the getters of its class, which a copy cannot answer.
    return isOpaque(value) || (this.getters && this.showHidden && !isPlain(value))
  }

  private findsInside(value: object): boolean {
    return [false, this.showHidden].some((showHidden) => {
      const text = this.whole(value, showHidden)
      return this.patterns.redacted(text) !== text
    })
  }

  private inPlaceOf(value: object): unknown {
    if (this.isHidden(value)) return this.inPlace(redacted)
    if (isBytes(value)) {
      const members = namedMembers(value)
      return this.patterns.redacted(members) === members ? value : this.inPlace(redacted)
    }
    if (!this.getters && !this.findsInside(value)) return value
    return this.inPlace(this.patterns.redacted(this.whole(value, this.showHidden)))
  }

  /** What Node shows of an object whose inside only it can read, uncut. */
  private whole(value: object, showHidden: boolean): string {
    const { getters } = this
    return inspect(value, { ...uncut, depth: 20, getters, showHidden, showProxy: showHidden })
  }

  private read(get: () => unknown, depth: number): unknown {
    try {
      return this.copy(get(), depth + 1)
    } catch (error) {
      return this.inPlace(this.patterns.redacted(threw(error)))
    }
  }
}

const uncut = { maxStringLength: Infinity, maxArrayLength: Infinity, breakLength: Infinity }

/** What Node shows of bytes besides the bytes: members that somebody has put on them. */
function namedMembers(bytes: object): string {
  return inspect(bytes, { ...uncut, maxArrayLength: 0, customInspect: false })
}

function isBytes(value: object): boolean {
  return ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
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
