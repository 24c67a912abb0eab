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

// Node loads these on first use, and then sets its own symbol on globalThis.
void new Headers()
void fetch

/** The own properties of built-in objects and prototypes. */
export class Prototypes {
  private readonly before = read()

  /** Throws if a property has changed. */
  expectUnchanged(): void {
    const now = read()
    for (const [name, members] of now) {
      const then = this.before.get(name)!
      for (const [key, value] of members)
        // Node and Jest create some globals on first read.
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
    // Registry keys of this package, which are created on first use.
    if (typeof key === 'symbol' && String(key).startsWith('Symbol(sluice/v1/')) continue
    const { value, get } = Object.getOwnPropertyDescriptor(object, key)!
    // The static properties of RegExp change with each match.
    if (object === RegExp && typeof key === 'string' && key !== 'prototype') continue
    // Tests change it.
    if (key === 'stackTraceLimit') continue
    members.set(key, object === globalThis && get !== undefined ? unread : (get ?? value))
  }
  return members
}
