import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { Writable } from 'node:stream'
import * as originalWinston from 'winston'
import bole from '../../src/entries/bole.ts'
import { createLogger as bunyan } from '../../src/entries/bunyan.ts'
import { captureConsole } from '../../src/entries/console.ts'
import { createLogger } from '../../src/entries/index.ts'
import { jsonLines, pretty } from '../../src/entries/exporters.ts'
import { multistream, pino } from '../../src/entries/pino.ts'
import * as winston from '../../src/entries/winston.ts'
import { exporterTo } from './controls/exporter-to.ts'

/** Control characters that terminals interpret: C0 without the line feed that ends a line, DEL and C1. */
const controlCharacters = Array.from({ length: 0xa0 }, (_, code) => code).filter(
  (code) => (code < 0x20 || code >= 0x7f) && code !== 10,
)
/** Bidirectional formatting characters and line separators. */
const reordering = [0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069]
const texts = [...controlCharacters, ...reordering].map((code) => `a${String.fromCharCode(code)}b`)
const allControls = texts.join('')

// oxlint-disable-next-line no-control-regex
const rawControl = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/
// oxlint-disable-next-line no-control-regex
const rawInText = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

/** Creates a stream that stores the lines written to it. */
function keeper() {
  const lines: string[] = []
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _, next) {
      lines.push(String(chunk))
      next()
    },
  })
  return { lines, stream }
}

function failure(text: string): Error {
  return Object.assign(new Error(text), { stack: `Error: ${text}\n    at ${text}`, [text]: text, code: text })
}

/** An object with data in keys, values, nested values and a Map. */
const object = (text: string) => ({
  [text]: text,
  nested: { [text]: [text, { [text]: text }] },
  map: new Map([[text, text]]),
})

/** Functions that log a text in every argument and option of an API, and return the lines. */
const apis: Readonly<Record<string, (text: string) => string[]>> = {
  pino(text) {
    const { lines, stream } = keeper()
    const rules = [
      {},
      { redact: ['secret', 'nested.x'] },
      { redact: { paths: ['y'], keys: ['x'], patterns: ['email' as const] } },
    ]
    for (const options of rules) {
      const log = pino(
        { name: text, msgPrefix: text, mixin: () => ({ [`m${text}`]: text }), ...options },
        multistream([{ stream }]),
      )
      const child = log.child({ [text]: text, inner: object(text) }, { msgPrefix: text })
      for (const each of [log, child]) {
        each.info(text)
        each.info(object(text), text)
        Reflect.apply(each.info, each, ['%s %j %o %d', text, object(text), { [text]: text }, text])
        each.error(failure(text))
        each.error({ err: failure(text), big: 1n, [text]: { big: 1n, [text]: text } }, text)
      }
    }
    pino({ nestedKey: text, messageKey: `m${text}`, errorKey: `e${text}` }, stream).error(failure(text), text)
    pino(
      { formatters: { level: (label) => ({ [text]: label + text }), bindings: () => ({ [`b${text}`]: text }) } },
      stream,
    ).info(text)
    return lines
  },
  bunyan(text) {
    const { lines, stream } = keeper()
    for (const options of [{}, { redact: { keys: ['x'] } }]) {
      // A field of a child may not be called `name`, and some names are options of bunyan.
      const key = `k${text}`
      const log = bunyan({ name: text || 'n', [key]: text, stream, ...options })
      log.info(text)
      log.info(object(text), '%s %j', text, object(text))
      log.error(failure(text))
      log.child({ [key]: object(text) }).warn({ err: failure(text), [key]: { big: 1n } }, text)
    }
    return lines
  },
  bole(text) {
    const { lines, stream } = keeper()
    bole.reset().output([
      { level: 'debug', stream },
      { level: 'debug', stream, redact: { keys: ['x'] } },
    ])
    const log = bole(text)
    log.info(text)
    log.info(object(text), '%s %j', text, object(text))
    log.error(failure(text), { [text]: text }, text)
    log(text).warn({ [text]: { big: 1n, [text]: text } }, text)
    bole.reset()
    return lines
  },
  'winston as JSON'(text) {
    const { lines, stream } = keeper()
    const { json, combine, errors, metadata, logstash } = winston.format
    const formats = [
      json(),
      json({ space: 1 }),
      json({ deterministic: false, replacer: (_, value) => value }),
      logstash(),
    ]
    for (const format of [...formats, combine(errors({ stack: true }), metadata(), json())])
      logToWinston(format, stream, text)
    return lines.map((line) => line.replaceAll('\n', ''))
  },
  layouts(text) {
    return (['sluice', 'otel', 'pino', 'ecs', 'gcp', 'datadog'] as const).flatMap((layout) =>
      logTo(jsonLines(layout), text),
    )
  },
  'console records'(text) {
    const { lines, exporter } = exporterTo(jsonLines())
    const logger = createLogger({ exporter, handleExit: false })
    const capture = captureConsole({ mode: 'records', objects: 'attributes', logger })
    console.log(text, object(text))
    console.error(failure(text))
    void capture.release()
    return lines
  },
}

function logTo(encoding: Parameters<typeof exporterTo>[0], text: string): string[] {
  const { lines, exporter } = exporterTo(encoding)
  const log = createLogger({ exporter, name: text, handleExit: false })
  log.info(text, object(text))
  log.child({ [text]: text }, { messagePrefix: text }).error(failure(text))
  log.flushSync()
  return lines
}

function logToWinston(format: winston.Format, stream: Writable, text: string, more: object = {}): void {
  const transport = new winston.transports.Stream({ stream, eol: '\n', ...more })
  const log = winston.createLogger({ format, transports: transport, defaultMeta: { [`d${text}`]: text } })
  log.info(text)
  log.info(text, object(text))
  log.log('warn', '%s and %j', text, object(text))
  log.error(failure(text))
  log.child({ [text]: text }).info({ message: text, label: text, ms: text, timestamp: text, padding: { info: text } })
  log.flushSync()
}

describe('escaping of control characters', () => {
  test.each(Object.keys(apis))(
    'lines of %s contain no raw control character from keys, values, messages, names or errors',
    (name) => {
      const lines = apis[name]!(allControls)
      expect(lines.length).toBeGreaterThan(1)
      for (const line of lines) {
        expect(rawControl.exec(line.slice(0, -1))).toBeNull()
        expect(line.slice(0, -1)).not.toContain('\n')
        expect(JSON.stringify(JSON.parse(line))).toContain('a\u007fb')
      }
    },
  )

  test.each(Object.keys(apis))('lines of %s contain no raw control character for any string', (name) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }), (text) => {
        for (const line of apis[name]!(text.toWellFormed())) expect(rawControl.exec(line.slice(0, -1))).toBeNull()
      }),
      { numRuns: 50 },
    )
  })

  test('pretty output contains no raw control or bidirectional formatting character', () => {
    for (const line of logTo(pretty({ colors: false }), allControls)) expect(rawInText.exec(line)).toBeNull()
  })
})

describe('formatted text of the winston API', () => {
  const { simple, printf, cli, align, colorize, combine, prettyPrint, padLevels, label } = winston.format
  const line = printf(
    (info) => `${info.level} ${String(info.message)} ${String(info['label'])} ${Object.keys(info).join()}`,
  )
  const formats: Readonly<Record<string, () => winston.Format>> = {
    simple,
    printf: () => line,
    cli: () => cli(),
    align: () => combine(align(), line),
    padLevels: () => combine(padLevels(), line),
    label: () => combine(label({ label: allControls, message: true }), line),
    colorize: () => combine(colorize({ all: true }), line),
    'colorize after': () => combine(simple(), colorize({ all: true })),
    prettyPrint: () => prettyPrint(),
    "winston's own printf": () => originalWinston.format.printf((info) => `${info.level} ${String(info.message)}`),
  }
  // oxlint-disable-next-line no-control-regex
  const colors = /\u001b\[[\d;]*m/g

  test.each(Object.keys(formats))('text of format.%s contains no raw control character except colors', (name) => {
    const { lines, stream } = keeper()
    logToWinston(formats[name]!(), stream, allControls)
    expect(lines.length).toBeGreaterThan(4)
    for (const line of lines) expect(rawInText.exec(line.replaceAll(colors, ''))).toBeNull()
  })

  test("control characters are escaped with winston's own transports and loggers", () => {
    const own = keeper()
    winston
      .createLogger({ format: simple(), transports: new originalWinston.transports.Stream({ stream: own.stream }) })
      .info(allControls)
    const ours = keeper()
    const transport = new winston.transports.Stream({ stream: ours.stream })
    originalWinston
      .createLogger({ format: originalWinston.format.simple(), transports: transport as never })
      .info(allControls)
    transport.flushSync()
    for (const { lines } of [own, ours]) {
      expect(lines).toHaveLength(1)
      expect(rawInText.exec(lines[0]!)).toBeNull()
    }
  })

  test('formatted text keeps colors and resets unclosed colors of a message', () => {
    const { lines, stream } = keeper()
    const log = winston.createLogger({
      format: simple(),
      transports: new winston.transports.Stream({ stream, eol: '\n' }),
    })
    log.info('\u001b[31mred\u001b[39m')
    log.info('\u001b[1;38;5;9mopen')
    log.info('\u001b[38;2;1;2;3mopen\u001b[0m')
    log.info('\u001b[8mhidden\u001b]0;title\u0007')
    log.flushSync()
    expect(lines.join('').trimEnd().split('\n')).toEqual([
      'info: \u001b[31mred\u001b[39m',
      'info: \u001b[1;38;5;9mopen\u001b[0m',
      'info: \u001b[38;2;1;2;3mopen\u001b[0m',
      'info: \u001b[8mhidden\\u001b]0;title\\u0007\u001b[0m',
    ])
  })

  test.each([
    ['bold that a double underline follows', '1m\u001b[21', true],
    ['a double underline', '21', true],
    ['a double underline that is reset', '21m\u001b[24', false],
    ['bold that is reset', '1m\u001b[22', false],
    ['bold before a parameter of an underline', '1;4:0', true],
    ['a curly underline', '4:3', true],
    ['a curly underline that is reset', '4:3m\u001b[4:0', false],
    ['a color with colons', '38:2::1:22:39', true],
    ['a color with colons that is reset', '38:2::1:2:3m\u001b[39', false],
    ['bold before a color with colons', '1;48:5:0;49', true],
    ['another font', '11', true],
    ['superscript', '73', true],
    ['a frame that is reset', '51m\u001b[54', false],
    ['an empty parameter, which resets all styles', '1m\u001b[', false],
  ])('formatted text resets the styles that are open at its end: %s', (_, codes, isOpen) => {
    const { lines, stream } = keeper()
    const log = winston.createLogger({
      format: simple(),
      transports: new winston.transports.Stream({ stream, eol: '\n' }),
    })
    log.info(`\u001b[${codes}mtext`)
    log.flushSync()
    expect(lines.join('').trimEnd()).toBe(`info: \u001b[${codes}mtext${isOpen ? '\u001b[0m' : ''}`)
  })

  test('formatted text is not escaped with `escapeControls: false`', () => {
    const { lines, stream } = keeper()
    logToWinston(simple(), stream, 'a\u009bb', { escapeControls: false })
    expect(lines.join('')).toContain('info: a\u009bb')
  })

  test.each<[string, (log: winston.Logger) => unknown]>([
    [
      'a transport of this package',
      (log) => log.add(new winston.transports.Stream({ stream: keeper().stream, handleExceptions: true })),
    ],
    ['another stream', (log) => log.add(new Writable({ objectMode: true, write: (_, __, next) => next() }))],
    [
      'a handler of exceptions',
      (log) => log.exceptions.handle(new winston.transports.Stream({ stream: keeper().stream })),
    ],
  ])('text that is escaped for %s is not escaped for other transports and listeners', (_, addEscaping) => {
    const { lines, stream } = keeper()
    const log = winston.createLogger({ format: winston.format.printf((info) => String(info.message)) })
    addEscaping(log)
    log.add(new winston.transports.Stream({ stream, eol: '\n', escapeControls: false, handleExceptions: true }))
    const listened: unknown[] = []
    log.on('data', (info: { [key: symbol]: unknown }) => listened.push(info[Symbol.for('message')]))
    log.info({ message: 'a\u009bb', exception: true })
    log.flushSync()
    log.exceptions.unhandle()
    expect([lines, listened]).toEqual([['a\u009bb\n'], ['a\u009bb']])
  })

  test('text that is escaped for a transport is not escaped for other transports of a logger of winston', () => {
    const { lines, stream } = keeper()
    originalWinston
      .createLogger({
        format: originalWinston.format.simple(),
        transports: [true, false].map(
          (escapeControls) => new winston.transports.Stream({ stream, eol: '\n', escapeControls }),
        ),
      })
      .info('a\u009bb')
    expect(lines).toEqual(['info: a\\u009bb\n', 'info: a\u009bb\n'])
  })

  test('escaped text is written for an info that a format has frozen', () => {
    const { lines, stream } = keeper()
    logToWinston({ transform: (info) => Object.freeze(simple().transform(info)) }, stream, 'a\u009bb')
    expect(lines.join('')).toContain('info: a\\u009bb')
  })
})

test('a captured console in passthrough mode keeps control characters, as the console does', async () => {
  const { lines, stream } = keeper()
  const capture = captureConsole({ stream })
  console.log('a\u009bb\u001b[31m')
  await capture.release()
  expect(lines.join('')).toBe('a\u009bb\u001b[31m\n')
})
