import { describe, expect, test } from '@jest/globals'
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
import { canary, canaryIn } from './fuzz/canary.ts'
import { opaqueHolders } from './opaque-holders.ts'

/** Lists of name and value pairs that are logged instead of an object. */
const lists: Readonly<Record<string, object>> = {
  'a list of pairs': [['password', canary]],
  'pairs among others': [['user', 'x'], ['password', canary], [1, 2]], // prettier-ignore
  'entries of a FormData': [...formOf({ user: 'x', password: canary })],
  'a pair with an object': [['password', { value: canary }]],
  'a pair whose name is bytes': [[Buffer.from('password'), canary]],
  'items of a list as members': Object.assign({}, [['password', canary]]),
  arguments: opaqueHolders['arguments']!(['password', canary]),
  'pairs in a list': [[['password', canary]]],
}

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

function kept(): { text: string; write(chunk: unknown): boolean } {
  return {
    text: '',
    write(chunk) {
      this.text += typeof chunk === 'string' || Buffer.isBuffer(chunk) ? String(chunk) : JSON.stringify(chunk)
      return true
    },
  }
}

type Written = (list: object, rules: { redact?: RedactOptions }) => string

const apis: Readonly<Record<string, Written>> = {
  'sluice/pino': (list, rules) => {
    const out = kept()
    const log = pino(rules as never, out)
    log.info(list)
    log.info(list, 'm')
    log.info({}, list as never)
    log.info('%s %o %j', list, list, list)
    log.child(list).info('m')
    pino({ ...rules, nestedKey: 'payload' }, out).info(list, 'm')
    pino({ ...rules, msgPrefix: 'prefix ' }, out).info({}, list as never)
    pino({ ...rules, mixin: () => list }, out).info('m')
    return out.text
  },
  'sluice/bunyan': (list, rules) => {
    const out = kept()
    const raw = { type: 'raw' as const, stream: kept() }
    const log = bunyan({ name: 'test', ...rules, streams: [{ stream: out }, raw] })
    log.info(list)
    log.info(list, 'm')
    log.info('%s %o %j', list, list, list)
    log.child({ ...list }, true).info('m')
    return out.text + raw.stream.text
  },
  'sluice/bole': (list, rules) => {
    const out = kept()
    const objects = Object.assign(kept(), { _writableState: { objectMode: true } })
    bole.reset().output([
      { level: 'debug', stream: out, ...rules },
      { level: 'debug', stream: objects, ...rules },
    ])
    const log = bole('test')
    log.info(list)
    log.info(list, 'm')
    log.info({ a: 1 }, list)
    log.info('%s %o %j', list, list, list)
    log.error(new Error('x'), list, 'm')
    bole.reset()
    return out.text + objects.text
  },
  'sluice/winston': (list, rules) =>
    [format.json(), format.combine(format.splat(), format.simple()), format.prettyPrint()]
      .map((shape) => {
        const keeper = infoKeeper()
        const log = winston({ format: shape, transports: keeper.transport, ...rules })
        log.info('m', list)
        log.info('m %s %j', list, list, list)
        log.info(list as never)
        log.log('info', list as never)
        log.child(list).info('m')
        return keeper.lines().join('\n')
      })
      .join('\n'),
  sluiceTransport: (list, rules) => {
    const exporter = capturingExporter()
    const log = winston({ transports: [sluiceTransport({ exporter, handleExit: false, ...rules })] })
    log.info('m', list)
    log.info('m %s %j', list, list, list)
    log.child(list).info('m')
    return exporter.text()
  },
  'a captured console': (list, rules) => {
    const own = createTestConsole()
    const exporter = capturingExporter()
    const capture = own.capture({ logger: createTestLogger(rules, exporter).log, objects: 'attributes' })
    own.console.log(list)
    own.console.log('m', list, list)
    own.console.log('%o %j', list, list)
    void capture.release()
    return exporter.text()
  },
  'the API of OpenTelemetry': (list, rules) => {
    const exporter = capturingExporter()
    const logger = createLoggerProvider({ exporter, handleExit: false, ...rules }).getLogger('test')
    logger.emit({ body: list, attributes: { list: list as never } })
    logger.emit({ body: 'm', attributes: list })
    logger.emit({ body: 'm', exception: list })
    return exporter.text()
  },
  ...Object.fromEntries(
    formats.map(([name, encoding]): [string, Written] => [
      `createLogger, ${name}`,
      (list, rules) => {
        const exporter = capturingExporter(encoding)
        const { log } = createTestLogger(rules, exporter)
        log.info(list as never)
        log.info('m', list as never)
        log.info('%s %o %j', list, list, list)
        log.child(list).info('m')
        log.error(Object.assign(new Error('x'), list, { list }))
        return exporter.bytes().toString('latin1')
      },
    ]),
  ),
}

describe.each(Object.entries(apis))('redaction of lists of pairs: %s', (_, written) => {
  test.each(Object.entries(lists))('the value of a redacted key is redacted in %s', (__, list) => {
    for (const redact of [{ keys: ['password'] }, { keys: 'secrets' }, { paths: ['**.password'] }] as RedactOptions[])
      expect([redact, canaryIn(written(list, { redact }))]).toEqual([redact, undefined])
  })

  test('the values in lists of pairs are written without a rule', () => {
    const shown = Object.values(lists).filter((list) => canaryIn(written(list, {})) !== undefined)
    expect(shown.length).toBeGreaterThan(5)
  })
})
