const watched: readonly [string, object][] = [
  ...[
    Object,
    Array,
    Function,
    Error,
    RangeError,
    AggregateError,
    Map,
    Set,
    WeakMap,
    Promise,
    String,
    Number,
    BigInt,
    Symbol,
    Boolean,
    RegExp,
    Date,
    Uint8Array,
    ArrayBuffer,
    URL,
  ].flatMap((constructor): [string, object][] => [
    [constructor.name, constructor],
    [`${constructor.name}.prototype`, constructor.prototype as object],
  ]),
  ['JSON', JSON],
  ['Reflect', Reflect],
  ['globalThis', globalThis],
]

// Node loads these when they are used first, and then puts its own symbol on globalThis.
void new Headers()
void fetch

/** What is the language's and everybody's: each own key with its value or its functions. */
export class Prototypes {
  private readonly before = read()

  /** Throws where something of it has changed. */
  expectUnchanged(): void {
    const now = read()
    for (const [name, members] of now) {
      const then = this.before.get(name)!
      for (const [key, value] of members)
        // Node and jest make some globals when they are read first.
        if (!Object.is(then.get(key), value) && !(name === 'globalThis' && typeof then.get(key) === 'symbol'))
          throw new Error(`${name}[${String(key)}] has changed`)
      if (then.size !== members.size) throw new Error(`${name} has lost a member`)
    }
  }
}

const unread = Symbol('unread')

function read(): Map<string, Map<PropertyKey, unknown>> {
  return new Map(watched.map(([name, object]) => [name, membersOf(object)]))
}

function membersOf(object: object): Map<PropertyKey, unknown> {
  const members = new Map<PropertyKey, unknown>()
  for (const key of Reflect.ownKeys(object)) {
    // This package's own places, made at the first use.
    if (typeof key === 'symbol' && String(key).startsWith('Symbol(sluice/v1/')) continue
    const { value, get } = Object.getOwnPropertyDescriptor(object, key)!
    // What a regular expression found last is no change.
    if (object === RegExp && typeof key === 'string' && key !== 'prototype') continue
    // Tests count on it, and set it.
    if (key === 'stackTraceLimit') continue
    members.set(key, object === globalThis && get !== undefined ? unread : (get ?? value))
  }
  return members
}
