import { describe, expect, test } from '@jest/globals'
import { SPLAT } from '../../src/compat/winston/info.ts'
import bole from '../../src/entries/bole.ts'
import { createLogger as bunyan } from '../../src/entries/bunyan.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import { pino } from '../../src/entries/pino.ts'
import type { RedactOptions } from '../../src/redact/redact.ts'
import { createLogger as winston, format, sluiceTransport } from '../../src/entries/winston.ts'
import { infoKeeper } from '../compat/winston/info-keeper.ts'
import { createTestConsole } from '../support/processes/test-console.ts'
import { formats } from '../support/values/formats.ts'
import { capturingExporter, createTestLogger } from '../support/files/test-logger.ts'
import { isCanaryShown } from './canary-bytes.ts'
import { canary } from './fuzz/canary.ts'

const redact: RedactOptions = { patterns: [{ name: 'canary', pattern: /zqCanary7f3kXy/ }] }

/** Sets the secret as the name of a value. */
function named<T extends object>(value: T): T {
  return Object.defineProperty(value, 'name', { value: canary, configurable: true })
}

class NamedError extends Error {
  override name = canary
}

class ClassOfError extends Error {}
named(ClassOfError)

class Tagged {
  get [Symbol.toStringTag](): string {
    return canary
  }
}

const bytes = Buffer.from(`x ${canary} y`)

/** Values whose conversion to a string contains the secret. */
const values: Readonly<Record<string, unknown>> = {
  'a symbol': Symbol(`x ${canary} y`),
  'a Symbol object': Object(Symbol(canary)),
  'a function': named(() => {}),
  'a class': named(class { readonly a = 1 }), // prettier-ignore
  'an object of a class': new (named(class { readonly a = 1 }))(), // prettier-ignore
  'an object with a tag': new Tagged(),
  'a name of an Error': new NamedError('m'),
  'a class of an Error': new ClassOfError('m'),
  'a message of an Error': new Error(canary),
  'a long message of an Error': new Error(`${'.'.repeat(9_990)}${canary}${'.'.repeat(50)}`),
  'a cause': new Error('m', { cause: new NamedError('m') }),
  'an AggregateError': new AggregateError([new NamedError('m')], 'm'),
  'a frame of a stack': Object.assign(new Error('m'), { stack: `Error: m\n    at ${canary} (x.js:1:1)` }),
  'a key of a Map': new Map<unknown, unknown>([[canary, 1], [Symbol(canary), 2], [{ a: canary }, 3]]), // prettier-ignore
  'a name of a member': { [canary]: 1, [Symbol(canary)]: 2 },
  'a RegExp': new RegExp(canary),
  'a URL': new URL(`http://localhost/${canary}?${canary}#${canary}`),
  URLSearchParams: new URLSearchParams({ a: canary }),
  'a String object': Object(canary),
  'a toString': { toString: () => canary },
  'a toPrimitive': { [Symbol.toPrimitive]: () => canary },
  'a toJSON': { toJSON: () => ({ a: canary, bytes }) },
  'a Date with a member': Object.assign(new Date(0), { [canary]: 1 }),
  'a generator function': named(function* () { yield 1 }), // prettier-ignore
  'a Uint8Array': new Uint8Array(bytes),
  'a Buffer': bytes,
  'a list of bytes': [...bytes],
  'a list of lists of bytes': [[...bytes]],
  'a toString that joins bytes': { toString: () => [...bytes].join() },
}

const placeholders = ['%s', '%o', '%O', '%j', '%d', '%i', '%f', '%c']

function kept(): { text: string; write(chunk: unknown): boolean } {
  return {
    text: '',
    write(chunk) {
      this.text += String(chunk)
      return true
    },
  }
}

type Written = (value: unknown, rules: { redact?: RedactOptions }) => string
type Log = Readonly<Record<'info', (...args: unknown[]) => void>>

/** Logs a value as every argument of a call with a message. */
function logAll(log: Log, value: unknown): void {
  const calls: unknown[][] = [
    ...placeholders.flatMap((placeholder) => [
      [`m ${placeholder} n`, value],
      [{ a: 1 }, `m ${placeholder}`, value],
    ]),
    [value],
    [value, 'm'],
    [{ a: 1 }, value],
    [{ value }, 'm', value],
    ['m', value, value],
  ]
  for (const call of calls) {
    try {
      log.info(...call)
    } catch {
      // Node's console propagates an error thrown by a conversion.
    }
  }
}

const apis: Readonly<Record<string, Written>> = {
  'sluice/pino': (value, rules) => {
    const out = kept()
    logAll(pino(rules as never, out), value)
    logAll(pino({ ...rules, msgPrefix: 'prefix ' }, out), value)
    pino(rules as never, out)
      .child({ value })
      .info('m')
    return out.text
  },
  'sluice/bunyan': (value, rules) => {
    const out = kept()
    const log = bunyan({ name: 'test', ...rules, stream: out })
    logAll(log, value)
    log.child({ value }).info('m')
    return out.text
  },
  'sluice/bole': (value, rules) => {
    const out = kept()
    bole.reset().output({ level: 'debug', stream: out, ...rules })
    logAll(bole('test'), value)
    bole.reset()
    return out.text
  },
  ...Object.fromEntries(
    Object.entries({
      simple: format.combine(format.splat(), format.simple()),
      json: format.combine(format.splat(), format.json()),
      prettyPrint: format.prettyPrint(),
      'prettyPrint of a message': format.combine(format.splat(), format.prettyPrint()),
      errors: format.combine(format.errors({ stack: true, cause: true }), format.prettyPrint()),
      printf: format.printf((info) => {
        const texts = [info.message, info['value'], ...((info[SPLAT] ?? []) as unknown[])]
        return texts.map((each) => textOf(each)).join(' ')
      }),
    }).map(([name, shape]): [string, Written] => [
      `sluice/winston, ${name}`,
      (value, rules) => {
        const keeper = infoKeeper()
        const log = winston({ format: shape, transports: keeper.transport, ...rules })
        logAll(log, value)
        log.info({ message: 'm', value })
        log.info({ message: value })
        log.child({ value }).info('m')
        return keeper.lines().join('\n')
      },
    ]),
  ),
  sluiceTransport: (value, rules) => {
    const exporter = capturingExporter()
    const log = winston({ transports: [sluiceTransport({ exporter, handleExit: false, ...rules })] })
    logAll(log, value)
    return exporter.text()
  },
  'a captured console': (value, rules) => {
    const own = createTestConsole()
    const capture = own.capture({ stream: own.stdout, write: 'sync', ...rules })
    logAll(own.console, value)
    void capture.release()
    return own.stdout.text
  },
  'a captured console with attributes': (value, rules) => {
    const own = createTestConsole()
    const exporter = capturingExporter()
    const capture = own.capture({ logger: createTestLogger(rules, exporter).log, objects: 'attributes' })
    logAll(own.console, value)
    void capture.release()
    return exporter.text()
  },
  'the API of OpenTelemetry': (value, rules) => {
    const exporter = capturingExporter()
    const logger = createLoggerProvider({ exporter, handleExit: false, ...rules }).getLogger('test')
    logger.emit({ body: value, attributes: { value: value as never } })
    logger.emit({ body: { value }, exception: value })
    return exporter.text()
  },
  ...Object.fromEntries(
    formats.map(([name, encoding]): [string, Written] => [
      `createLogger, ${name}`,
      (value, rules) => {
        const exporter = capturingExporter(encoding)
        const { log } = createTestLogger(rules, exporter)
        logAll(log, value)
        log.info('{value} {value:json} m' as string, { value })
        log.child({ value }).info('{value}' as string)
        return exporter.bytes().toString('latin1')
      },
    ]),
  ),
}

/** Converts a value as a template literal does; returns an empty string if that throws. */
function textOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return ''
  }
}

describe.each(Object.entries(apis))('redaction of converted values: %s', (_, written) => {
  test.each(Object.entries(values))('the secret is redacted in the string form of %s', (__, value) => {
    expect(isCanaryShown(written(value, { redact }))).toBe(false)
  })

  test('the secret in converted values is written without a rule', () => {
    const shown = Object.values(values).filter((value) => isCanaryShown(written(value, {})))
    expect(shown.length).toBeGreaterThan(15)
  })
})

describe('redaction of property names in diagnostics', () => {
  const broken = { get [canary](): unknown { throw new Error('x') } } // prettier-ignore

  test.each<[string, (onDiagnostic: (problem: { message: string }) => void) => void]>([
    ['sluice/pino', (onDiagnostic) => pino({ redact, onDiagnostic }, kept()).info(broken)],
    ['a child of sluice/pino', (onDiagnostic) => pino({ onDiagnostic }, kept()).child({}, { redact }).info(broken)],
    ['sluice/bunyan', (onDiagnostic) => bunyan({ name: 'x', redact, onDiagnostic, stream: kept() }).info(broken)],
    [
      'sluice/bole',
      (onDiagnostic) => {
        bole.reset().output({ level: 'debug', redact, onDiagnostic, stream: kept() })
        bole('x').info(broken)
        bole.reset()
      },
    ],
  ])('a diagnostic of %s does not contain a property name that a pattern matches', (_, log) => {
    const messages: string[] = []
    log(({ message }) => void messages.push(message))
    expect(messages).toEqual([expect.stringMatching(/^the getter of "\[redacted\]" threw/i)])
  })
})
