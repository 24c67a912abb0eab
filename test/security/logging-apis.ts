import { inspect } from 'node:util'
import bole from '../../src/entries/bole.ts'
import { createLogger as bunyan, stdSerializers } from '../../src/entries/bunyan.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import { pino, stdSerializers as pinoSerializers } from '../../src/entries/pino.ts'
import type { RedactOptions } from '../../src/redact/redact.ts'
import { createLogger as winston, format, sluiceTransport } from '../../src/entries/winston.ts'
import { infoKeeper } from '../compat/winston/info-keeper.ts'
import { createTestConsole } from '../support/processes/test-console.ts'
import { formats } from '../support/values/formats.ts'
import { capturingExporter, createTestLogger } from '../support/files/test-logger.ts'

/** Logs the members with every call form of an API, and returns the output. */
export type LoggingApi = (members: object, redact?: RedactOptions) => string

function kept(): { text: string; write(chunk: unknown): boolean } {
  return {
    text: '',
    write(chunk) {
      this.text += typeof chunk === 'string' || Buffer.isBuffer(chunk) ? String(chunk) : inspected(chunk)
      return true
    },
  }
}

/** Returns everything that a stream can read from a record that it receives as an object. */
function inspected(record: unknown): string {
  return inspect(record, { depth: 12, showHidden: true, maxArrayLength: null, maxStringLength: null })
}

/** Returns the members that are functions: Node prints their properties when they are message arguments. */
function functionsOf(members: object): (() => void)[] {
  return Object.values(members).filter((member) => typeof member === 'function')
}

const rulesOf = (redact?: RedactOptions): { redact?: RedactOptions } => (redact === undefined ? {} : { redact })

/** Every API and format, by name. */
export const loggingApis: Readonly<Record<string, LoggingApi>> = {
  'sluice/pino': (members, redact) => {
    const out = kept()
    const log = pino({ ...rulesOf(redact), mixin: () => ({ mixed: members }) }, out)
    log.info(members, 'm')
    log
      .child({ bound: members })
      .child(members)
      .info({ deep: [members] }, 'm')
    log.info({}, '%j %o %O %s', members, [members], members, 'x')
    log.info({ msg: members })
    log.info({}, members as never)
    log.info('%s', members)
    for (const member of functionsOf(members)) log.info('%s %o', member, member)
    pino({ ...rulesOf(redact), msgPrefix: 'prefix ' }, out).info({}, members as never)
    const nested = pino({ ...rulesOf(redact), nestedKey: 'payload' }, out)
    nested.info(members, 'm')
    nested.info({ level: members }, 'm')
    const standard = pino({ ...rulesOf(redact), serializers: pinoSerializers }, out)
    standard.info(members, 'm')
    standard.child(members).info('m')
    return out.text
  },
  'sluice/pino with an exporter': (members, redact) => {
    const out = kept()
    const exporter = capturingExporter()
    const log = pino({ ...rulesOf(redact), exporter }, out)
    log.info(members, 'm')
    log.child({ bound: members }).info({ deep: [members] }, 'm')
    return out.text + exporter.text()
  },
  'sluice/bunyan': (members, redact) => {
    const out = kept()
    const raw = kept()
    const log = bunyan({
      name: 'test',
      ...rulesOf(redact),
      streams: [{ stream: out }, { type: 'raw', stream: raw }],
    })
    log.info(members, 'm')
    log.child({ bound: members }).info({ deep: [members], level: members }, 'm')
    log.info('%j %o %O %s', members, [members], members, members)
    for (const member of functionsOf(members)) log.info('%s %o', member, member, member)
    log.info({}, 'm', members)
    const serializers = stdSerializers
    const streams = [{ stream: out }, { type: 'raw' as const, stream: raw }]
    const standard = bunyan({ name: 'test', ...rulesOf(redact), streams, serializers })
    standard.info(members, 'm')
    standard.child({ ...members }, true).info({ deep: [members] }, 'm')
    return out.text + raw.text
  },
  'sluice/bole': (members, redact) => {
    const out = kept()
    const objects = Object.assign(kept(), { _writableState: { objectMode: true } })
    bole.reset().output([
      { level: 'debug', stream: out, ...rulesOf(redact) },
      { level: 'debug', stream: objects, ...rulesOf(redact) },
    ])
    const log = bole('test')
    log.info(members, 'm')
    log.info({ deep: [members], level: members }, 'm')
    log.info('%j %o %O %s', members, [members], members, members)
    for (const member of functionsOf(members)) log.info('%s %o', member, member, member)
    log.error(new Error('x'), members, 'm')
    log.info({}, members)
    bole.reset()
    return out.text + objects.text
  },
  'sluice/winston': (members, redact) => {
    const keeper = infoKeeper()
    const lines = format.combine(format.splat(), format.errors({ stack: true }), format.json())
    const log = winston({ format: lines, transports: keeper.transport, ...rulesOf(redact) })
    log.info('m', members)
    log.child(members).info('%j %o', members, members)
    log.info({ message: 'm', ...members })
    for (const member of functionsOf(members)) log.info('%s %o', member, member, member)
    log.info('m', { deep: [members] })
    return keeper.lines().join('\n')
  },
  sluiceTransport: (members, redact) => {
    const exporter = capturingExporter()
    const log = winston({
      ...rulesOf(redact),
      transports: [sluiceTransport({ exporter, handleExit: false, ...rulesOf(redact) })],
    })
    log.info('m', members)
    log.info('%j', members, { deep: [members] })
    return exporter.text()
  },
  'the API of OpenTelemetry': (members, redact) => {
    const exporter = capturingExporter()
    const logger = createLoggerProvider({ exporter, handleExit: false, ...rulesOf(redact) }).getLogger('test')
    logger.emit({ body: 'm', attributes: members })
    logger.emit({ body: members, attributes: { deep: [members] as never } })
    logger.emit({ body: [members] as never, exception: Object.assign(new Error('x'), { members }) })
    return exporter.text()
  },
  'a captured console': (members, redact) => {
    const exporter = capturingExporter()
    const { log } = createTestLogger(rulesOf(redact), exporter)
    const own = createTestConsole()
    const capture = own.capture({ logger: log, objects: 'attributes' })
    own.console.log('m', members, [members])
    own.console.error(members)
    own.console.log('%o', members)
    void capture.release()
    return exporter.text()
  },
  ...Object.fromEntries(
    formats.map(([name, encoding]): [string, LoggingApi] => [
      `createLogger, ${name}`,
      (members, redact) => {
        const exporter = capturingExporter(encoding)
        const { log } = createTestLogger(rulesOf(redact), exporter)
        log.info('{ctx} {headers:json} m', members as never)
        log.child({ bound: members }).info([members] as never)
        log.info('%j %o', members, { first: 1 }, members, [members])
        return exporter.bytes().toString('latin1')
      },
    ]),
  ),
}
