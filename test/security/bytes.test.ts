import { describe, expect, test } from '@jest/globals'
import bole from '../../src/entries/bole.ts'
import { createLogger as bunyan } from '../../src/entries/bunyan.ts'
import { pino } from '../../src/entries/pino.ts'
import type { RedactOptions } from '../../src/redact/redact.ts'
import { createLogger as winston, format, sluiceTransport } from '../../src/entries/winston.ts'
import { infoKeeper } from '../compat/winston/info-keeper.ts'
import { createTestConsole } from '../support/processes/test-console.ts'
import { formats } from '../support/values/formats.ts'
import { capturingExporter, createTestLogger } from '../support/files/test-logger.ts'
import { isCanaryShown } from './canary-bytes.ts'
import { canary } from './fuzz/canary.ts'
import { opaqueHolders } from './opaque-holders.ts'

const redact: RedactOptions = { patterns: [{ name: 'canary', pattern: /zqCanary7f3kXy/ }] }

/** Bytes that contain the secret, in all byte types of JavaScript and JSON. */
const bytes = Buffer.from(`x ${canary} y`)
const own = new Uint8Array(bytes)
const forms: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    Object.entries(opaqueHolders).map(([holder, hold]) => [
      `bytes in ${holder}`,
      hold({ buffer: bytes, view: own, memory: own.buffer, list: [...bytes], json: bytes.toJSON() }),
    ]),
  ),
  ...Object.fromEntries(Object.entries(opaqueHolders).map(([holder, hold]) => [`a Buffer in ${holder}`, hold(bytes)])),
  'a Buffer': bytes,
  'a long Buffer': Buffer.concat([bytes, Buffer.alloc(20_000)]),
  'a Buffer with the secret near the end': Buffer.concat([Buffer.alloc(1_500, 32), bytes]),
  'a Uint8Array': own,
  'a Uint8ClampedArray': new Uint8ClampedArray(own),
  'an ArrayBuffer': own.buffer,
  'a DataView': new DataView(own.buffer),
  'an Int8Array': new Int8Array(own.buffer),
  'the JSON of a Buffer': bytes.toJSON(),
  'a list of bytes': [...bytes],
  'a list of bytes that is truncated after the secret': [...bytes, ...Array<number>(5_000).fill(32)],
  'bytes in a circular object': circular(),
}

function circular(): object {
  const object: Record<string, unknown> = { bytes, own }
  object['self'] = object
  return object
}

function kept(): { text: string; write(chunk: unknown): boolean } {
  return {
    text: '',
    write(chunk) {
      this.text += String(chunk)
      return true
    },
  }
}

type ByteLoggingApi = (value: unknown, rules: { redact?: RedactOptions }) => string

const apis: Readonly<Record<string, ByteLoggingApi>> = {
  'sluice/pino': (value, rules) => {
    const out = kept()
    const log = pino(rules as never, out)
    log.info({ value, deep: [{ value }] }, '%j %o', value as object, { value })
    log.child({ value }).info('m')
    return out.text
  },
  'sluice/bunyan': (value, rules) => {
    const out = kept()
    const log = bunyan({ name: 'test', ...rules, stream: out })
    log.info({ value, deep: [{ value }] }, '%j %o %s', value, { value }, value as object)
    log.info(value as object, 'm')
    return out.text
  },
  'sluice/bole': (value, rules) => {
    const out = kept()
    bole.reset().output({ level: 'debug', stream: out, ...rules })
    bole('test').info({ value, deep: [{ value }] }, '%j %o %s', value, { value }, value)
    bole.reset()
    return out.text
  },
  'sluice/winston': (value, rules) => {
    const shapes = [
      format.json(),
      format.simple(),
      format.prettyPrint(),
      format.printf((info) => `${String(info['value'])} ${JSON.stringify(info)}`),
      format.combine(format.splat(), format.logstash()),
    ]
    return shapes
      .map((shape) => {
        const keeper = infoKeeper()
        const log = winston({ format: shape, transports: keeper.transport, ...rules })
        log.info('m', { value, deep: [{ value }] })
        log.info('%j %o', value, { value })
        return keeper.lines().join('\n')
      })
      .join('\n')
  },
  'sluice/winston with arguments after the message': (value, rules) =>
    [
      format.json({ deterministic: false }),
      format.simple(),
      format.prettyPrint(),
      format.combine(format.splat(), format.json()),
    ]
      .map((shape) => {
        const keeper = infoKeeper()
        logAfterMessage(winston({ format: shape, transports: keeper.transport, ...rules }), value)
        return keeper.lines().join('\n')
      })
      .join('\n'),
  'sluiceTransport with arguments after the message': (value, rules) => {
    const exporter = capturingExporter()
    const splat = format.combine(format.splat(), format.json())
    const log = winston({ transports: [sluiceTransport({ exporter, handleExit: false, ...rules })] })
    logAfterMessage(log, value)
    log.format = splat
    log.info('m %o %j', { value }, value)
    log.info('m %s', { a: 1 }, value)
    return exporter.text()
  },
  'sluiceTransport of a logger without rules': (value, rules) => {
    const exporter = capturingExporter()
    const log = winston({ transports: [sluiceTransport({ exporter, handleExit: false, ...rules })] })
    log.info('m', { value, deep: [{ value }] })
    log.child({ value }).info('m %j %o', value, { value })
    return exporter.text()
  },
  'a captured console': (value, rules) => {
    const own = createTestConsole()
    const exporter = capturingExporter()
    const capture = own.capture({ logger: createTestLogger(rules, exporter).log, objects: 'attributes' })
    own.console.log(value, [value], { value })
    own.console.log('%o %O %j', value, { value }, 1)
    void capture.release()
    return exporter.text()
  },
  'the text of a captured console': (value, rules) => {
    const own = createTestConsole()
    const exporter = capturingExporter()
    const capture = own.capture({ logger: createTestLogger(rules, exporter).log, objects: 'text' })
    printAll(own.console, value)
    void capture.release()
    return exporter.text()
  },
  'a captured console in passthrough mode': (value, rules) => {
    const own = createTestConsole()
    const capture = own.capture({ stream: own.stdout, write: 'sync', ...rules })
    printAll(own.console, value)
    void capture.release()
    return own.stdout.text
  },
  ...Object.fromEntries(
    formats.map(([name, encoding]): [string, ByteLoggingApi] => [
      `createLogger, ${name}`,
      (value, rules) => {
        const exporter = capturingExporter(encoding)
        const { log } = createTestLogger(rules, exporter)
        log.info('{value} {value:json} %j %o', { value, deep: [{ value }] }, value, { value })
        log.child({ value }).info([value] as never)
        return exporter.bytes().toString('latin1')
      },
    ]),
  ),
}

function printAll(target: Console, value: unknown): void {
  target.log(value, [value], { value })
  target.log('%o %O %j %s', value, { value }, value, [value])
  target.error({ deep: new Map([['x', new Set([value])]]) })
  target.dir(value, { showHidden: true, maxArrayLength: Infinity })
  target.dir({ get value() { return value } }, { getters: true }) // prettier-ignore
  target.dir(value, { getters: true, showHidden: true, showProxy: true })
  target.dir(new Set([value]), { getters: true, showHidden: true })
  target.table([{ get value() { return value } }]) // prettier-ignore
  target.table(value)
  target.table([[value]])
  target.trace(value)
}

/** Logs a value after the message, where it adds members of the record or fills placeholders. */
function logAfterMessage(log: ReturnType<typeof winston<never>>, value: unknown): void {
  log.info('m', value as object)
  log.info('m', value as object, value as object)
  log.info('m %s', value as object, value as object)
  log.log('info', value as never)
  log.log('info', 'm', value as object)
  log.child(value as object).info('m')
}

describe.each(Object.entries(apis))('redaction of bytes by patterns: %s', (_, write) => {
  test.each(Object.entries(forms))('a pattern match is redacted in %s', (_, value) => {
    expect(isCanaryShown(write(value, { redact }))).toBe(false)
  })

  test('the secret in bytes is written without a pattern', () => {
    const shown = Object.values(forms).filter((value) => isCanaryShown(write(value, {})))
    expect(shown.length).toBeGreaterThan(5)
  })
})
