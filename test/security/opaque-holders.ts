import { inspect } from 'node:util'

/** Objects that cannot be copied: only Node or their own code can print their contents. */
export const opaqueHolders: Readonly<Record<string, (value: unknown) => object>> = {
  'an object with a toJSON': (value) => new WithJson(value),
  'an object with a toString': (value) => new WithText(value),
  'an object with a custom inspection': (value) => new WithInspect(value),
  'a private member of an object with a custom inspection': (value) => new WithPrivate(value),
  'a Promise': (value) => Promise.resolve(value),
  'an iterator of a Map': (value) => new Map([['key', value]]).values(),
  'an iterator of a Set': (value) => new Set([value]).values(),
  'a generator': (value) => Object.assign(generator(), { value }),
  'a Proxy': (value) => new Proxy({ value }, {}),
  'a Proxy of a list': (value) => new Proxy([value], {}),
  arguments: (value) => argumentsOf(value),
  'a function': (value) => Object.assign(() => {}, { value }),
  'a Date': (value) => Object.assign(new Date(0), { value }),
  'a RegExp': (value) => Object.assign(/x/, { value }),
  'a Number object': (value) => Object.assign(Object(1) as object, { value }),
  'a WeakSet': (value) => new WeakSet([{ value }]),
}

class WithMember {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

class WithJson extends WithMember {
  toJSON(): object {
    return { id: 1 }
  }
}

class WithText extends WithMember {
  override toString(): string {
    return 'text'
  }
}

class WithInspect extends WithMember {
  [inspect.custom](_: number, options: object): string {
    return `It ${inspect({ value: this.value }, options)}`
  }
}

class WithPrivate {
  readonly #value: unknown
  constructor(value: unknown) {
    this.#value = value
  }
  [inspect.custom](_: number, options: object): string {
    return `It ${inspect([this.#value], options)}`
  }
}

function* generator(): Generator<void> {
  yield
}

function argumentsOf(value: unknown): object
function argumentsOf(): object {
  // oxlint-disable-next-line prefer-rest-params
  return arguments
}
