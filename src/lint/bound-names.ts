import { nameInPackage } from './imports.ts'
import { keyOf, memberName, unwrapped, type Node, type RuleContext } from './syntax.ts'

/** Returns the keys of attributes: none without attributes, and undefined if they are not a literal with fixed keys. */
export function namesIn(value: Node | undefined): readonly string[] | undefined {
  if (value === undefined) return []
  const attributes = unwrapped(value)
  if (attributes.type !== 'ObjectExpression') return undefined
  const keys = attributes.properties!.map(keyOf)
  return keys.every((key) => key !== undefined) ? keys : undefined
}

/** Options of `createLogger` that add attributes which are not in the code. */
const dynamicOptions = ['enrich', 'baggage', 'handler']

/** Returns the names of the attributes that the options of `createLogger` add; undefined if the code does not show all of them. */
export function namesOfOptions(value: Node | undefined): readonly string[] | undefined {
  if (value === undefined) return []
  const options = unwrapped(value)
  if (options.type !== 'ObjectExpression') return undefined
  const keys = options.properties!.map(keyOf)
  if (keys.some((key) => key === undefined || dynamicOptions.includes(key))) return undefined
  return namesIn(options.properties![keys.indexOf('attributes')]?.value as Node | undefined)
}

/** Options of `createLogger` and `child` that declare or change the attributes or messages of calls. */
const changingOptions = ['types', 'serializers', 'redact', 'limits', 'messagePrefix']

/** Returns whether options of `createLogger` or `child` can declare or change attributes or messages, also if the code does not show it. */
export function canChangeCalls(value: Node | undefined): boolean {
  if (value === undefined) return false
  const options = unwrapped(value)
  if (options.type !== 'ObjectExpression') return true
  return options.properties!.map(keyOf).some((key) => key === undefined || changingOptions.includes(key))
}

/** The names of the attributes that a logger and its context can add to those of a call. */
export interface BoundNames {
  readonly names: ReadonlySet<string>
  /** Whether the file shows all of them. */
  readonly isComplete: boolean
}

/** The names of attributes that the calls of a file add to records. */
export class FileNames {
  readonly #everywhere: Set<string>
  readonly #ofSomeLogger = new Set<string>()
  #hasUnknownContext = false

  /** @param everywhere - names that all records can have */
  constructor(everywhere: readonly string[]) {
    this.#everywhere = new Set(everywhere)
  }

  /** Adds the names of a call of `withContext`, `child` or `createLogger`. Other calls add none. */
  add(context: RuleContext, { callee, arguments: args }: Node): void {
    const inPackage = nameInPackage(context, callee!)
    if (inPackage === 'withContext') {
      const names = namesIn(args![0])
      if (names === undefined) this.#hasUnknownContext = true
      for (const name of names ?? []) this.#everywhere.add(name)
      return
    }
    const isChild = memberName(unwrapped(callee!)) === 'child'
    const names = isChild ? namesIn(args![0]) : inPackage === 'createLogger' ? namesOfOptions(args![0]) : []
    for (const name of names ?? []) this.#ofSomeLogger.add(name)
  }

  /** Returns the names that a logger with these bound names can add to the attributes of a call, and whether these are all. */
  boundTo(boundNames: readonly string[] | undefined): BoundNames {
    const names = new Set([...this.#everywhere, ...(boundNames ?? this.#ofSomeLogger)])
    return { names, isComplete: boundNames !== undefined && !this.#hasUnknownContext }
  }
}
