/**
 * Builds values of every kind from descriptions. A description is plain data, so a counterexample is readable and reproducible, and
 * each built value is new.
 */
export type Description =
  | { readonly is: 'leaf'; readonly make: string; readonly seed: Seed }
  | { readonly is: 'array'; readonly items: readonly Description[]; readonly hole?: boolean; readonly proxy?: boolean }
  | { readonly is: 'object'; readonly as: ObjectKind; readonly members: readonly (readonly [string, Description])[] }
  | { readonly is: 'map'; readonly entries: readonly (readonly [Description | string, Description])[] }
  | { readonly is: 'set'; readonly items: readonly Description[] }
  | {
      readonly is: 'error'
      readonly type: string
      readonly message: string
      readonly members: readonly (readonly [string, Description])[]
      readonly cause?: Description | undefined
    }
  | { readonly is: 'toJSON'; readonly answer: Description; readonly own: boolean }
  /** A container that encloses this place by so many levels. */
  | { readonly is: 'up'; readonly levels: number }
  /** A container that was built before. */
  | { readonly is: 'again'; readonly which: number }

export type ObjectKind = 'plain' | 'bare' | 'class' | 'getters' | 'proxy' | 'throwing'

/** The data of a leaf. */
export interface Seed {
  readonly text: string
  readonly number: number
  readonly bytes: readonly number[]
}

class Instance {
  get inherited(): string {
    return 'not written'
  }
}
class CustomError extends Error {}

const leaves: Readonly<Record<string, (seed: Seed) => unknown>> = {
  null: () => null,
  undefined: () => undefined,
  true: () => true,
  string: ({ text }) => text,
  number: ({ number }) => number,
  integer: ({ number }) => Math.trunc(number) || -0,
  bigint: ({ bytes }) => bytes.reduce((sum, byte) => sum * 256n - BigInt(byte), 1n),
  symbol: ({ text }) => Symbol(text),
  function: ({ text }) => Object.defineProperty(() => {}, 'name', { value: text }),
  class: () => Instance,
  date: ({ number }) => new Date(number % 8.64e15),
  invalidDate: () => new Date(NaN),
  regexp: ({ text }) => new RegExp(text.replace(/[^a-z/]/gi, '.') || '/', 'giu'),
  url: ({ bytes }) => new URL(`https://${bytes.length > 2 ? 'me:pass@' : ''}host/${bytes.join('/')}?q=1#h`),
  query: ({ bytes }) => new URLSearchParams({ bytes: bytes.join('&') }),
  buffer: ({ bytes }) => Buffer.from(bytes),
  uint8: ({ bytes }) => new Uint8Array(bytes).subarray(1),
  arrayBuffer: ({ bytes }) => Uint8Array.from(bytes).buffer,
  dataView: ({ bytes }) => new DataView(Uint8Array.from(bytes).buffer),
  float64: ({ bytes, number }) => Float64Array.from([...bytes, number, NaN, -0]),
  bigInt64: ({ bytes }) => BigInt64Array.from(bytes.map((byte) => BigInt(-byte))),
  boxedString: ({ text }) => Object(text) as unknown,
  boxedNumber: ({ number }) => Object(number) as unknown,
  boxedBigInt: () => Object(5n) as unknown,
  boxedSymbol: ({ text }) => Object(Symbol(text)) as unknown,
  promise: () => Promise.resolve(1),
  generator: () => (function* () {})(),
  asyncGenerator: () => (async function* () {})(),
  weakMap: () => new WeakMap(),
  weakSet: () => new WeakSet(),
  emptyClass: () => new Instance(),
  selfJSON: () => {
    const self = { kept: 1, toJSON: (): unknown => self }
    return self
  },
  throwingJSON: ({ text }) => ({
    toJSON(): never {
      throw new Error(text)
    },
  }),
}

/** The kinds of leaves. */
export const leafNames: readonly string[] = Object.keys(leaves)

/** Is called with a name for each getter, `toJSON` or proxy trap of a built value that runs. */
type OnCall = (name: string) => void

const ignored: OnCall = () => {}

/** Builds the value of a description. */
export function build(description: Description, onCall: OnCall = ignored): unknown {
  return new Builder(onCall).value(description, [])
}

/** Builds a plain object with the given members. */
export function buildMembers(members: readonly (readonly [string, Description])[], onCall: OnCall = ignored): object {
  return new Builder(onCall).value({ is: 'object', as: 'plain', members }, []) as object
}

/** Returns a proxy that behaves like its target and reports the calls of its traps. */
function proxyOf<T extends object>(target: T, onCall: OnCall): T {
  return new Proxy(target, {
    get(object, key, receiver): unknown {
      onCall(`proxy get ${String(key)}`)
      return Reflect.get(object, key, receiver)
    },
    ownKeys(object) {
      onCall('proxy ownKeys')
      return Reflect.ownKeys(object)
    },
    getPrototypeOf(object) {
      onCall('proxy getPrototypeOf')
      return Reflect.getPrototypeOf(object)
    },
  })
}

class Builder {
  private readonly made: object[] = []
  private readonly onCall: OnCall

  constructor(onCall: OnCall) {
    this.onCall = onCall
  }

  value(description: Description, outer: readonly object[]): unknown {
    switch (description.is) {
      case 'leaf':
        return leaves[description.make]!(description.seed)
      case 'up':
        return outer.length === 0 ? null : outer[Math.max(0, outer.length - 1 - description.levels)]
      case 'again':
        return this.made.length === 0 ? null : this.made[description.which % this.made.length]
      default:
        return this.container(description, outer)
    }
  }

  private container(
    description: Exclude<Description, { is: 'leaf' | 'up' | 'again' }>,
    outer: readonly object[],
  ): object {
    switch (description.is) {
      case 'array': {
        const array: unknown[] = []
        const shown = description.proxy === true ? proxyOf(array, this.onCall) : array
        const inner = this.remember(shown, outer)
        for (const item of description.items) array.push(this.value(item, inner))
        if (description.hole === true) array.length++
        return shown
      }
      case 'object':
        return this.object(description, outer)
      case 'map': {
        const map = new Map<unknown, unknown>()
        const inner = this.remember(map, outer)
        for (const [key, item] of description.entries) {
          map.set(typeof key === 'string' ? key : this.value(key, inner), this.value(item, inner))
        }
        return map
      }
      case 'set': {
        const set = new Set<unknown>()
        const inner = this.remember(set, outer)
        for (const item of description.items) set.add(this.value(item, inner))
        return set
      }
      case 'error':
        return this.error(description, outer)
      default:
        return this.withToJSON(description, outer)
    }
  }

  private object({ as, members }: Extract<Description, { is: 'object' }>, outer: readonly object[]): object {
    const target: object = as === 'bare' ? (Object.create(null) as object) : as === 'class' ? new Instance() : {}
    const shown = as === 'proxy' ? proxyOf(target, this.onCall) : target
    const inner = this.remember(shown, outer)
    for (const [key, description] of members) {
      const value = this.value(description, inner)
      const get = () => {
        this.onCall(`get ${key}`)
        if (as === 'throwing') throw new Error(key)
        return value
      }
      const property = as === 'getters' || as === 'throwing' ? { get } : { value }
      Object.defineProperty(target, key, { ...property, enumerable: true, configurable: true })
    }
    return shown
  }

  private error(
    { type, message, members, cause }: Extract<Description, { is: 'error' }>,
    outer: readonly object[],
  ): object {
    const makers: Readonly<Record<string, () => Error>> = {
      Error: () => new Error(message),
      RangeError: () => new RangeError(message),
      CustomError: () => new CustomError(message),
      AggregateError: () => new AggregateError([new Error('first'), 'second'], message),
    }
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 1
    const error = makers[type]!()
    Error.stackTraceLimit = stackTraceLimit
    const inner = this.remember(error, outer)
    for (const [key, description] of members) {
      Object.defineProperty(error, key, { value: this.value(description, inner), enumerable: true })
    }
    const value = cause === undefined ? undefined : this.value(cause, inner)
    if (typeof value !== 'function') Object.defineProperty(error, 'cause', { value })
    return error
  }

  private withToJSON({ answer, own }: Extract<Description, { is: 'toJSON' }>, outer: readonly object[]): object {
    let value: unknown
    const owner: object = own ? { hidden: 1 } : new Instance()
    const inner = this.remember(owner, outer)
    // The result of toJSON is not a container of the caller, so nothing in it refers back to it.
    value = this.value(answer, inner)
    const toJSON = (key: unknown): unknown => {
      this.onCall(`toJSON ${String(key)}`)
      return value
    }
    Object.defineProperty(owner, 'toJSON', { value: toJSON, enumerable: true })
    return owner
  }

  private remember(container: object, outer: readonly object[]): readonly object[] {
    this.made.push(container)
    return [...outer, container]
  }
}
