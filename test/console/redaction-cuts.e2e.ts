import { describe, expect, test } from '@jest/globals'
import { inspect } from 'node:util'
import type { CaptureConsoleOptions } from '../../src/console/options.ts'
import { createLogger } from '../../src/create/create-logger.ts'
import type { RedactOptions } from '../../src/redact/redact.ts'
import { createTestConsole } from '../support/processes/test-console.ts'
import { capturingExporter } from '../support/files/test-logger.ts'
import { canary, canaryIn } from '../security/fuzz/canary.ts'
import { opaqueHolders } from '../security/opaque-holders.ts'

const redact: RedactOptions = { patterns: [{ name: 'canary', pattern: /zqCanary7f3kXy/ }] }

/** The length to which Node truncates strings. */
const longest = 10_000
/** Offsets of the secret before, across and after the truncation. */
const offsets = Array.from({ length: canary.length + 4 }, (_, index) => index - 2)
const around = (offset: number): string => `${'.'.repeat(longest - offset)}${canary}${'.'.repeat(50)}`

class Account {
  readonly text: string
  #text: string
  constructor(text: string) {
    this.text = text
    this.#text = text
  }
  get hidden(): string {
    return this.#text
  }
}

class Shown {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  [inspect.custom](_: number, options: object): string {
    return `Shown ${inspect({ text: this.#text }, options)}`
  }
}

/** Values that contain a string that Node truncates. */
const holders: Readonly<Record<string, (text: string) => unknown>> = {
  'an object': (text) => ({ a: 1, text }),
  'a list': (text) => [text, 1],
  'a Map': (text) => new Map<unknown, unknown>([['key', text], [text, { text }]]), // prettier-ignore
  'a Set': (text) => new Set([text]),
  'a class': (text) => new Account(text),
  'an object without a prototype': (text) => Object.assign(Object.create(null) as object, { text }),
  'an object in itself': (text) => {
    const node: Record<string, unknown> = { text }
    node['self'] = node
    return node
  },
  'an Error': (text) => Object.assign(new Error(text, { cause: { text } }), { text }),
  'a String object': (text) => ({ box: Object(text) as unknown }),
  'a proxy': (text) => new Proxy({ text }, {}),
  'an object with a custom inspection': (text) => new Shown(text),
  'a promise': (text) => Promise.resolve(text),
  'an iterator': (text) => new Map([[1, text]]).values(),
}

type Print = (target: Console, value: unknown) => void

const methods: Readonly<Record<string, Print>> = {
  log: (target, value) => target.log('m', value),
  'log alone': (target, value) => target.log(value),
  error: (target, value) => target.error(value),
  warn: (target, value) => target.warn(value, value),
  debug: (target, value) => target.debug(value),
  dir: (target, value) => target.dir(value),
  'dir with options': (target, value) => target.dir(value, { depth: 5, showHidden: true }),
  dirxml: (target, value) => target.dirxml(value),
  table: (target, value) => target.table([{ cell: value }]),
  trace: (target, value) => target.trace('m', value),
  assert: (target, value) => target.assert(false, 'm', value),
  group: (target, value) => (target.group('m', value), target.groupEnd()),
  timeLog: (target, value) => (target.time('t'), target.timeLog('t', value), target.timeEnd('t')),
  '%o': (target, value) => target.log('%o and %O', value, value),
}

type Captured = (print: (target: Console) => void, rules: { redact?: RedactOptions }) => string

function captured(
  options: CaptureConsoleOptions,
  print: (target: Console) => void,
  kept = createTestConsole(),
): string {
  const capture = kept.capture(options)
  print(kept.console)
  void capture.release()
  return kept.stdout.text + kept.stderr.text
}

const modes: Readonly<Record<string, Captured>> = {
  passthrough: (print, rules) => {
    const kept = createTestConsole()
    return captured({ stream: kept.stdout, write: 'sync', ...rules }, print, kept)
  },
  'records with rules of the capture': (print, rules) => {
    const exporter = capturingExporter()
    const logger = createLogger({ level: 'trace', exporter, handleExit: false })
    captured({ logger, objects: 'text', ...rules }, print)
    return exporter.text()
  },
  'records with rules of the logger': (print, rules) => {
    const exporter = capturingExporter()
    const logger = createLogger({ level: 'trace', exporter, handleExit: false, ...rules })
    captured({ logger }, print)
    return exporter.text()
  },
  'records with attributes': (print, rules) => {
    const exporter = capturingExporter()
    const logger = createLogger({ level: 'trace', exporter, handleExit: false, ...rules })
    captured({ logger, objects: 'attributes' }, print)
    return exporter.text()
  },
}

describe.each(Object.entries(modes))('redaction before truncation in a captured console: %s', (_, capturedBy) => {
  test.each(Object.entries(methods))(
    'output of %s is redacted when the secret in a value of any kind is truncated at any offset',
    (_, print) => {
      for (const [index, [name, hold]] of Object.entries(holders).entries()) {
        // The first holder is tested with every offset, the others with three, to keep the test fast.
        for (const offset of index === 0 ? offsets : [1, 7, canary.length - 1]) {
          const text = capturedBy((target) => print(target, hold(around(offset))), { redact })
          expect([name, offset, canaryIn(text)]).toEqual([name, offset, undefined])
        }
      }
    },
  )

  test('bytes, strings, and values beyond the maximum number of items and depth are redacted', () => {
    for (const offset of [...offsets, 40, 45, 49, 51]) {
      const bytes = Buffer.from(`${'.'.repeat(Math.max(0, 50 - offset))}${canary}`)
      const values = [
        bytes,
        new Uint8Array(bytes).buffer,
        { bytes: new Uint8Array(bytes) },
        [...Array.from({ length: 98 }, () => '.'), { bytes }],
      ]
      const text = capturedBy(
        (target) => {
          for (const value of values) target.log('%o', value, value)
          target.dir(around(offset))
          target.log('%o %s %j', around(offset), around(offset), around(offset))
          target.log([{ a: [{ b: [around(offset)] }] }])
        },
        { redact },
      )
      expect(hexIn(text)).toBe(false)
      expect([offset, canaryIn(text)]).toEqual([offset, undefined])
    }
  })

  test('truncated bytes are redacted in objects that cannot be copied', () => {
    for (const [holder, hold] of Object.entries(opaqueHolders)) {
      for (const offset of [1, 7, 46]) {
        const bytes = Buffer.from(`${'.'.repeat(Math.max(0, 50 - offset))}${canary}`)
        const list = Array.from({ length: 100 - offset }, () => 46).concat([...Buffer.from(canary)])
        for (const value of [
          bytes,
          new Uint8Array(bytes).buffer,
          { bytes: new Uint8Array(bytes) },
          list,
          new Set([bytes]),
        ]) {
          const text = capturedBy(
            (target) => {
              target.log('%o %O', hold(value), hold(value), hold(value))
              target.dir(hold(value), { getters: true, showHidden: true })
            },
            { redact },
          )
          const numbers = [...Buffer.from(canary.slice(0, 4))].join()
          expect([holder, offset, hexIn(text), text.replaceAll(/\s/g, '').includes(numbers)]).toEqual([
            holder,
            offset,
            false,
            false,
          ])
        }
      }
    }
  })

  test('the secret is printed without redaction rules', () => {
    expect(canaryIn(capturedBy((target) => target.log('m', { text: `x ${canary}` }), {}))).toBeDefined()
  })
})

/** Returns whether a text contains the start of the secret as Node prints bytes. */
function hexIn(text: string): boolean {
  return text.includes([...Buffer.from(canary.slice(0, 4))].map((byte) => byte.toString(16)).join(' '))
}

/** Objects whose getters or hidden contents Node prints with options of `console.dir` or with `%o`. */
const inside: Readonly<Record<string, (text: string) => unknown>> = {
  'a getter': (text) => ({ get text() { return text } }), // prettier-ignore
  'a getter with a setter': (text) => ({ get text() { return { text } }, set text(_: unknown) {} }), // prettier-ignore
  'a getter that returns a list': (text) => [{ get list() { return [[text], Buffer.from(text.trim())] } }], // prettier-ignore
  'a getter that returns another value each time': (text) => {
    let calls = 0
    return { get text() { return calls++ % 2 === 0 ? 'x' : text } } // prettier-ignore
  },
  'a getter that throws': (text) => ({ get text() { throw new Error(text) } }), // prettier-ignore
  'a getter of a class': (text) => new Account(text),
  'a getter of a class alone': (text) => new (class { get text() { return text } })(), // prettier-ignore
  'a getter of a function': (text) => Object.defineProperty(() => {}, 'text', { get: () => text, enumerable: true }),
  'a getter in a Map': (text) => new Map([[1, { get text() { return text } }]]), // prettier-ignore
  'a hidden member': (text) => Object.defineProperty({}, 'text', { value: text }),
  'a hidden getter': (text) => Object.defineProperty({}, 'text', { get: () => text }),
  'a WeakSet': (text) => new WeakSet([{ text }]),
  'a WeakMap': (text) => new WeakMap([[{}, { text }]]),
  'the handler of a proxy': (text) => new Proxy({}, { text } as object),
  'a member of bytes': (text) => Object.assign(Buffer.from('x'), { text }),
  'a getter of a cell': (text) => [{ get text() { return text } }], // prettier-ignore
  'a getter of bytes in a cell': (text) => [{ get text() { return [...Buffer.from(text.replaceAll('.', ''))] } }], // prettier-ignore
}

const printOptions: Readonly<Record<string, (target: Console, value: unknown) => void>> = {
  getters: (target, value) => target.dir(value, { getters: true }),
  'getters and hidden members': (target, value) => target.dir(value, { getters: true, showHidden: true, depth: 5 }),
  table: (target, value) => target.table(value),
  'getters of proxies': (target, value) => target.dir(value, { getters: 'get', showProxy: true } as never),
  '%o': (target, value) => target.log('%o', value),
}

describe.each(Object.entries(modes))('redaction of values that options reveal: %s', (_, capturedBy) => {
  test.each(Object.entries(printOptions))('a captured console redacts values printed with %s', (_, print) => {
    for (const [name, hold] of Object.entries(inside)) {
      for (const offset of [-2, 1, 7, canary.length - 1]) {
        const text = capturedBy((target) => print(target, hold(around(offset))), { redact })
        expect([name, offset, canaryIn(text)]).toEqual([name, offset, undefined])
      }
    }
  })

  test('a captured console prints the revealed secret without redaction rules', () => {
    const shown = Object.values(inside).filter((hold) =>
      Object.values(printOptions).some((print) => {
        const text = capturedBy((target) => print(target, hold(`x ${canary}`)), {})
        return canaryIn(text) !== undefined
      }),
    )
    expect(shown.length).toBeGreaterThan(5)
  })
})

test('arguments without a secret are printed as without redaction rules', () => {
  const values = Object.values(holders).map((hold) => hold('plain'))
  const print = (target: Console) => {
    for (const value of values) target.log('m %s', value, value)
    target.table([{ a: 1 }, { a: 'x' }])
    target.dir({ a: { b: { c: { d: 1 } } } }, { depth: 1 })
    target.dir({ get a() { return { b: [1, 'x'] } }, set b(_: unknown) {} }, { getters: true }) // prettier-ignore
    target.log([...Buffer.from('plain bytes that hold nothing')], Buffer.from('x').toJSON(), new Set([1, 2]))
    target.assert(false, 'm', { a: 1 })
    target.group('g', [1])
    target.info(Buffer.from('plain'), new Date(0), /x/, Symbol('s'), 1n, () => {})
    target.groupEnd()
  }
  expect(modes['passthrough']!(print, { redact })).toBe(modes['passthrough']!(print, {}))
})

function printHeld(text: string): (target: Console) => void {
  return (target) => {
    for (const hold of Object.values(holders)) {
      const value = hold(text)
      if (!(value instanceof Error)) target.log(value)
    }
  }
}

class Plain {
  readonly value = 'ok'
  get double(): string {
    return this.value + this.value
  }
}

class Derived extends Plain {
  readonly #own = 1
  get own(): number {
    return this.#own
  }
}

/** Values of all kinds without a secret. */
const harmless: Readonly<Record<string, unknown>> = {
  'a Set': new Set(['ok', { a: 1 }]),
  'a Map': new Map([['a', ['ok']]]),
  'an object with a getter': { get a() { return { b: [1, 'x'] } } }, // prettier-ignore
  'an object of a class with getters': new Plain(),
  'an object with private members': [new Derived()],
  'an object without a prototype': Object.assign(Object.create(null) as object, { a: 'ok' }),
  'an Error': Object.assign(new Error('x'), { stack: 'Error: x' }),
  'a list': ['ok', [1, 2]],
  'a Buffer': Buffer.alloc(3),
  'a Uint8Array': new Uint8Array(3),
  'a Date': new Date(0),
  'a RegExp': /x/,
  'a function': () => {},
  'a URL': new URL('http://localhost/'),
  'a Promise': Promise.resolve('ok'),
  ...Object.fromEntries(Object.entries(opaqueHolders).map(([holder, hold]) => [holder, hold({ a: 'ok' })])),
}

const dirOptions = [{}, { getters: true }, { showHidden: true }, { getters: true, showHidden: true }].flatMap(
  (options) => [options, { ...options, customInspect: true, depth: 5, breakLength: 40 }],
)

describe.each(dirOptions)('console.dir with %j and a value without a secret', (options) => {
  test.each(Object.entries(harmless))('console.dir prints %s as without redaction rules', (name, value) => {
    // A getter of `arguments` throws an Error, and the stack that Node prints differs between the two calls.
    if (name === 'arguments' && 'showHidden' in options) return
    const print = (target: Console) => target.dir(value, options)
    expect(modes['passthrough']!(print, { redact })).toBe(modes['passthrough']!(print, {}))
  })
})

test('members next to a secret in an object are printed as without redaction rules', () => {
  const value = { set: new Set(['ok']), shown: new Shown('ok'), text: canary }
  const print = (target: Console) => target.dir(value, { getters: true, showHidden: true, customInspect: true })
  const plain = modes['passthrough']!(print, {})
  expect(modes['passthrough']!(print, { redact })).toBe(plain.replace(canary, '[REDACTED]'))
})

test('only the bytes that contain a secret are redacted in an object that cannot be copied', () => {
  const value = {
    secret: Buffer.from(canary),
    other: Buffer.from('ok'),
    list: [...Buffer.from(canary)],
    numbers: [1, 2, 3],
  }
  const text = modes['passthrough']!((target) => target.log(new Proxy(value, {})), { redact })
  expect(text.replaceAll(/\s+/g, ' ')).toBe(
    '{ secret: <Buffer [REDACTED]>, other: <Buffer 6f 6b>, list: [ [REDACTED] ], numbers: [ 1, 2, 3 ] } ',
  )
})

test('bytes that the application formatted into a string are redacted', () => {
  const bytes = Buffer.from(canary)
  const print = (target: Console) => {
    target.log(`bytes ${inspect(bytes)} ${JSON.stringify(bytes)}`)
    target.log('%j', { toJSON: () => ({ bytes }) })
    target.log(inspect([...bytes]))
  }
  for (const [mode, capturedBy] of Object.entries(modes)) {
    const text = capturedBy(print, { redact })
    const numbers = [...bytes].join()
    expect([mode, hexIn(text), text.replaceAll(/\s|\\n/g, '').includes(numbers)]).toEqual([mode, false, false])
  }
})

test('a value with a secret is printed as the original value with only the secret replaced', () => {
  const plain = modes['passthrough']!(printHeld('[REDACTED]'), {})
  expect(modes['passthrough']!(printHeld(canary), { redact })).toBe(plain)
})

test('console.trace prints no stack frame of this package', () => {
  const text = modes['passthrough']!((target) => target.trace('m %o', { text: canary }), { redact })
  expect(text).toMatch(/^Trace: m \{ text: '\[REDACTED\]' \}\n/)
  expect(text).not.toMatch(/src\/console/)
})
