import { describe, expect, test } from '@jest/globals'
import bole from '../../src/entries/bole.ts'
import { createLogger as bunyan } from '../../src/entries/bunyan.ts'
import type { Encoding } from '../../src/encode/encoding.ts'
import type { LoggerOptions, RootLogger } from '../../src/logger/types.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import { pino } from '../../src/entries/pino.ts'
import type { RedactOptions } from '../../src/redact/redact.ts'
import { createLogger as winston, format, sluiceTransport } from '../../src/entries/winston.ts'
import { infoKeeper } from '../compat/winston/info-keeper.ts'
import { createTestConsole } from '../support/processes/test-console.ts'
import { formats } from '../support/values/formats.ts'
import { capturingExporter, createTestLogger } from '../support/files/test-logger.ts'
import { canary, canaryIn } from './fuzz/canary.ts'
import { opaqueHolders } from './opaque-holders.ts'

const redact: RedactOptions = { patterns: [{ name: 'canary', pattern: /zqCanary7f3kXy/ }] }

/** A truncation after `at` code units; the secret is placed at every offset around it. */
interface Cut {
  readonly at: number
  readonly options?: LoggerOptions
  readonly write: (log: RootLogger, text: string, around: string) => void
}

const recordBytes = 1_024
const stringLength = 100
const failed = (message: string, members: object = {}, cause?: unknown): Error =>
  Object.assign(new Error(message, cause === undefined ? {} : { cause }), members)

function stacked(text: string): Error {
  const error = failed('m')
  error.stack = `Error: m\n    at first (x.js:1:1)\n    at ${text} (y.js:1:1)\n    at last (z.js:1:1)`
  return error
}

/** Every limit that truncates a part of a record. */
const cuts: Readonly<Record<string, Cut>> = {
  'limits.stringLength of an attribute': {
    at: stringLength,
    options: { limits: { stringLength } },
    write: (log, text) => log.info('m', { text, deep: [{ text }], map: new Map([[1, text]]) }),
  },
  'limits.stringLength of bytes': {
    at: stringLength,
    options: { limits: { stringLength } },
    write: (log, text) => log.info('m', { text: Buffer.from(text), list: [...Buffer.from(text)] }),
  },
  'limits.stringLength in a child and the context': {
    at: stringLength,
    options: { limits: { stringLength } },
    write: (log, text) => log.child({ text }).info('{text}'),
  },
  'limits.stringLength of an exception': {
    at: stringLength,
    options: { limits: { stringLength } },
    write: (log, text) => log.error(failed(text, { text }, failed(text, { text }))),
  },
  'limits.stringLength of a thrown error': {
    at: stringLength - '[Threw: '.length,
    options: { limits: { stringLength } },
    write: (log, text) =>
      log.info('m', {
        get a() {
          throw new Error(text)
        },
        toText: { toJSON: () => { throw new Error(text) } }, // prettier-ignore
      }),
  },
  'limits.recordBytes of a message': {
    at: recordBytes - 200,
    options: { limits: { recordBytes } },
    write: (log, text) => log.info(text),
  },
  'limits.recordBytes of a message, by the length of the text': {
    at: recordBytes,
    options: { limits: { recordBytes } },
    write: (log, text) => log.info(text),
  },
  'limits.recordBytes of an interpolated message': {
    at: recordBytes - 4,
    options: { limits: { recordBytes } },
    write: (log, text, around) => {
      log.info('{a} {b}', { a: text.slice(0, 500), b: text.slice(500) })
      log.info('%s %o %O %j', text, { text: around }, [around], around)
    },
  },
  'limits.recordBytes of attributes': {
    at: 700,
    options: { limits: { recordBytes } },
    write: (log, text) => log.info('m', { a: text, b: text, c: { text }, d: [text] }),
  },
  'limits.recordBytes of an Error': {
    at: 600,
    options: { limits: { recordBytes } },
    write: (log, text) => log.error(failed(text, { text }, failed(text)), text),
  },
  'limits.stackFrames': {
    at: 20,
    options: { limits: { stackFrames: 1 } },
    write: (log, text) => log.error(failed('m', {}, Object.assign(stacked(text), { text }))),
  },
  'limits.depth and limits.items': {
    at: 20,
    options: { limits: { depth: 2, items: 2 } },
    write: (log, text) => log.info('m', { a: [text, text, text], b: { c: { d: text } }, e: new Map<unknown, unknown>([[text, 1], [2, text]]) }), // prettier-ignore
  },
  'limits.items of bytes as numbers': {
    at: 50,
    options: { limits: { items: 50 } },
    write: (log, text) => log.info('m', { list: [...Buffer.from(text)], json: Buffer.from(text).toJSON() }),
  },
  'the names of many attributes': {
    at: 60,
    options: { limits: { recordBytes } },
    write: (log, text) =>
      log.info('m', Object.fromEntries(Array.from({ length: 60 }, (_, index) => [text + index, index]))),
  },
  'causes beyond the last one that is written': {
    at: 20,
    write: (log, text) => {
      let cause: Error | undefined
      for (let depth = 0; depth < 20; depth++) cause = failed(text, { text }, cause)
      log.error(cause)
    },
  },
  'errors beyond the last one that is written': {
    at: 20,
    write: (log, text) =>
      log.error(
        new AggregateError(
          Array.from({ length: 40 }, () => failed(text)),
          text,
        ),
      ),
  },
}

/** Returns a text in which the secret begins `offset` code units before the truncation. */
function textAround(at: number, offset: number): string {
  return `${'.'.repeat(Math.max(0, at - offset))}${canary}${'.'.repeat(2_000)}`
}

const offsets = Array.from({ length: canary.length + 6 }, (_, index) => index - 3)

function written(
  { options, write }: Cut,
  text: string,
  around: string,
  encoding: Encoding,
  rules: LoggerOptions,
): string {
  const keeper = capturingExporter(encoding)
  const { log } = createTestLogger({ ...options, ...rules }, keeper)
  write(log, text, around)
  return keeper.bytes().toString('latin1')
}

describe.each(Object.entries(cuts))('redaction at a truncation: %s', (_, cut) => {
  test.each(formats)('no part of a truncated secret is written in the format %s', (_, encoding) => {
    for (const offset of offsets) {
      const text = textAround(cut.at, offset)
      const bytes = written(cut, text, textAround(10_000, offset), encoding, { redact })
      expect([offset, canaryIn(bytes) ?? keyed(bytes)]).toEqual([offset, undefined])
    }
  })

  test('the secret is written without a rule', () => {
    const bytes = written({ write: cut.write, at: 0 }, `x ${canary}`, canary, formats[0]![1], {})
    expect(canaryIn(bytes) ?? keyed(bytes)).toBeDefined()
  })
})

/** Returns the first bytes of the secret, in the form in which Node prints a Buffer, if the text contains them. */
function hex(text: string): string | undefined {
  const bytes = [...Buffer.from(canary.slice(0, 4))].map((byte) => byte.toString(16)).join(' ')
  return text.includes(bytes) ? bytes : undefined
}

/** Returns 'numbers' if the text contains the first bytes of the secret as decimal numbers. */
function keyed(text: string): string | undefined {
  return text.includes([...Buffer.from(canary.slice(0, 4))].join()) ? 'numbers' : undefined
}

describe('redaction at a truncation by util.format and util.inspect', () => {
  const writers: Readonly<Record<string, (text: string) => string>> = {
    'sluice/pino': (text) => {
      const lines: string[] = []
      const log = pino(
        { redact, edgeLimit: 3, depthLimit: 3 },
        {
          write: (line: string) => void lines.push(line),
        },
      )
      const node: Record<string, unknown> = { text, deep: { a: { b: { c: text } } }, list: [1, 2, 3, text, text] }
      node['self'] = node
      log.info(node, '%o %O %j %s', text, { text }, [text], text)
      log.error(failed(text, { text }, failed(text)))
      return lines.join('')
    },
    'sluice/bunyan': (text) => {
      const lines: string[] = []
      const log = bunyan({ name: 'x', redact, stream: { write: (line: string) => void lines.push(line) } })
      log.info({ text }, '%o %O %j %s', text, { text }, [text], text)
      log.info('%s', { a: { b: { c: { text } } } }, { text }, [text], Buffer.from(text), new Map([[1, text]]))
      log.info(Buffer.from(text.slice(-2_040)), { text })
      return lines.join('')
    },
    'sluice/bole': (text) => {
      const lines: string[] = []
      bole
        .reset()
        .output({ level: 'debug', redact, stream: { write: (line: unknown) => void lines.push(String(line)) } })
      bole('x').info({ text }, '%o %O %j %s', text, { text }, [text], text)
      bole('x').info('%s', { text }, [text], Buffer.from(text), new Map([[1, text]]))
      bole('x').info(Buffer.from(text), text)
      bole.reset()
      return lines.join('')
    },
    'sluice/winston': (text) =>
      [format.combine(format.splat(), format.simple()), format.prettyPrint(), format.prettyPrint({ depth: 1 })]
        .map((shape) => {
          const keeper = infoKeeper()
          const log = winston({ format: shape, transports: keeper.transport, redact })
          log.info('%o %O %j %s', text, { text }, [text], text, { text })
          log.info('m', { text, list: Array.from({ length: 120 }, () => text), bytes: Buffer.from(text) })
          return keeper.lines().join('\n')
        })
        .join('\n'),
    'sluiceTransport after format.splat()': (text) => {
      const exporter = capturingExporter()
      const transports = [sluiceTransport({ exporter, handleExit: false, redact })]
      const log = winston({ format: format.combine(format.splat(), format.json()), transports })
      log.info('%o %O %j %s', text, { text }, [text], text, { text })
      log.info('%o', { list: [...Array.from({ length: 120 }, () => '.'), text], bytes: Buffer.from(text) })
      log.info('m', { text })
      return exporter.text()
    },
    sluiceTransport: (text) => {
      const exporter = capturingExporter()
      const log = winston({ transports: [sluiceTransport({ exporter, handleExit: false, redact })] })
      log.info('%o %O %j %s', text, { text }, [text], text, { text })
      log.info('m', { text, list: [text], bytes: Buffer.from(text) })
      return exporter.text()
    },
    'the API of OpenTelemetry': (text) => {
      const exporter = capturingExporter()
      const limits = { stringLength: 10_000, recordBytes: 20_000 }
      const logger = createLoggerProvider({ exporter, handleExit: false, redact, limits }).getLogger('x')
      logger.emit({ body: text, attributes: { text, bytes: Buffer.from(text) }, exception: failed(text) })
      logger.emit({ body: { text, list: [text] }, eventName: text })
      return exporter.text()
    },
  }
  test.each(Object.entries(writers))('no part of a truncated secret is written by %s', (_, write) => {
    for (const offset of offsets) {
      const text = write(textAround(10_000, offset))
      expect([offset, canaryIn(text) ?? keyed(text)]).toEqual([offset, undefined])
      const short = write(`${'.'.repeat(Math.max(0, 50 - offset))}${canary}`)
      expect([offset, canaryIn(short) ?? hex(short)]).toEqual([offset, undefined])
    }
  })
})

/** APIs that print bytes with util.inspect or as truncated lists of numbers. */
const byteWriters: Readonly<Record<string, (log: (target: Info) => void) => string>> = {
  'sluice/pino': (log) => {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    log(pino({ redact }, stream))
    log(pino({ redact, edgeLimit: 60, depthLimit: 4 }, stream))
    return lines.join('')
  },
  'sluice/bunyan': (log) => {
    const lines: string[] = []
    log(bunyan({ name: 'x', redact, stream: { write: (line: string) => void lines.push(line) } }))
    return lines.join('')
  },
  'sluice/bole': (log) => {
    const lines: string[] = []
    bole.reset().output({ level: 'debug', redact, stream: { write: (line: unknown) => void lines.push(String(line)) } })
    log(bole('x'))
    bole.reset()
    return lines.join('')
  },
  'sluice/winston': (log) => {
    const keeper = infoKeeper()
    const shape = format.combine(format.splat(), format.prettyPrint())
    const logger = winston({ format: shape, transports: keeper.transport, redact })
    log({ info: (...args) => logger.info('m %o %s %j', ...args) })
    return keeper.lines().join('\n')
  },
  'a captured console': (log) => {
    const own = createTestConsole()
    const capture = own.capture({ stream: own.stdout, write: 'sync', redact })
    log(own.console)
    void capture.release()
    return own.stdout.text
  },
  'a captured console in records mode with text': (log) => {
    const own = createTestConsole()
    const exporter = capturingExporter()
    const capture = own.capture({ logger: createTestLogger({ redact }, exporter).log, objects: 'text' })
    log(own.console)
    void capture.release()
    return exporter.text()
  },
  createLogger: (log) => {
    const exporter = capturingExporter()
    log(createTestLogger({ redact, limits: { items: 60 } }, exporter).log)
    return exporter.text()
  },
}

interface Info {
  info(...args: unknown[]): void
}

describe.each(Object.entries(byteWriters))('redaction of truncated bytes: %s', (_, written) => {
  const holders = { ...opaqueHolders, 'a circular object': circular, 'an object': (value: unknown) => ({ value }) }

  test.each(Object.entries(holders))('no part of a secret is written when bytes are truncated in %s', (__, hold) => {
    // Node prints 50 bytes and 100 items, and a match can begin before and end after that limit.
    for (const [cut, offset] of [50, 60, 100].flatMap((at) => [-6, 1, 7, 13].map((each) => [at, each] as const))) {
      const bytes = Buffer.from(`${'.'.repeat(cut - offset)}${canary}${'.'.repeat(70)}`)
      const forms = [bytes, new Uint8Array(bytes), new Uint8Array(bytes).buffer, [...bytes], bytes.toJSON()]
      const text = written((log) => {
        for (const form of forms) log.info(hold(form), '%o %O %s', hold(form), hold(form), hold(form))
        log.info(hold(forms))
      })
      const numbers = text.replaceAll(/\s|\\n/g, '')
      expect([cut, offset, canaryIn(text) ?? hex(text) ?? keyed(numbers)]).toEqual([cut, offset, undefined])
    }
  })
})

function circular(value: unknown): object {
  const node: Record<string, unknown> = { value }
  node['self'] = node
  return node
}
