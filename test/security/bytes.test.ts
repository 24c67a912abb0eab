import { describe, expect, test } from '@jest/globals'
import bole from '../../src/entries/bole.ts'
import { createLogger as bunyan } from '../../src/entries/bunyan.ts'
import { pino } from '../../src/entries/pino.ts'
import type { RedactOptions } from '../../src/redact/redact.ts'
import { createLogger as winston, format, sluiceTransport } from '../../src/entries/winston.ts'
import { infoKeeper } from '../compat/winston/info-keeper.ts'
import { keptConsole } from '../support/processes/consoles.ts'
import { formats } from '../support/values/formats.ts'
import { lineKeeper, workbench } from '../support/files/line-keeper.ts'
import { isCanaryShown } from './canary-bytes.ts'
import { canary } from './fuzz/canary.ts'
import { opaqueHolders } from './opaque-holders.ts'

const redact: RedactOptions = { patterns: [{ name: 'canary', pattern: /zqCanary7f3kXy/ }] }

/** Bytes that hold the secret, in all that JavaScript and JSON have for bytes. */
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
  'a Buffer that is long': Buffer.concat([bytes, Buffer.alloc(20_000)]),
  'a Buffer in which it comes late': Buffer.concat([Buffer.alloc(1_500, 32), bytes]),
  'a Uint8Array': own,
  'a Uint8ClampedArray': new Uint8ClampedArray(own),
  'an ArrayBuffer': own.buffer,
  'a DataView': new DataView(own.buffer),
  'an Int8Array': new Int8Array(own.buffer),
  'the JSON of a Buffer': bytes.toJSON(),
  'a list of bytes': [...bytes],
  'a list of bytes that is cut behind it': [...bytes, ...Array<number>(5_000).fill(32)],
  'bytes in an object that refers to itself': circular(),
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

type Front = (value: unknown, rules: { redact?: RedactOptions }) => string

const fronts: Readonly<Record<string, Front>> = {
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
  'sluice/winston behind the message': (value, rules) =>
    [
      format.json({ deterministic: false }),
      format.simple(),
      format.prettyPrint(),
      format.combine(format.splat(), format.json()),
    ]
      .map((shape) => {
        const keeper = infoKeeper()
        logBehind(winston({ format: shape, transports: keeper.transport, ...rules }), value)
        return keeper.lines().join('\n')
      })
      .join('\n'),
  'sluiceTransport behind the message': (value, rules) => {
    const exporter = lineKeeper()
    const splat = format.combine(format.splat(), format.json())
    const log = winston({ transports: [sluiceTransport({ exporter, handleExit: false, ...rules })] })
    logBehind(log, value)
    log.format = splat
    log.info('m %o %j', { value }, value)
    log.info('m %s', { a: 1 }, value)
    return exporter.text()
  },
  'sluiceTransport behind a logger without rules': (value, rules) => {
    const exporter = lineKeeper()
    const log = winston({ transports: [sluiceTransport({ exporter, handleExit: false, ...rules })] })
    log.info('m', { value, deep: [{ value }] })
    log.child({ value }).info('m %j %o', value, { value })
    return exporter.text()
  },
  'a captured console': (value, rules) => {
    const own = keptConsole()
    const exporter = lineKeeper()
    const capture = own.capture({ logger: workbench(rules, exporter).log, objects: 'attributes' })
    own.console.log(value, [value], { value })
    own.console.log('%o %O %j', value, { value }, 1)
    void capture.release()
    return exporter.text()
  },
  'the text of a captured console': (value, rules) => {
    const own = keptConsole()
    const exporter = lineKeeper()
    const capture = own.capture({ logger: workbench(rules, exporter).log, objects: 'text' })
    printAll(own.console, value)
    void capture.release()
    return exporter.text()
  },
  'a console that is passed through': (value, rules) => {
    const own = keptConsole()
    const capture = own.capture({ stream: own.stdout, write: 'sync', ...rules })
    printAll(own.console, value)
    void capture.release()
    return own.stdout.text
  },
  ...Object.fromEntries(
    formats.map(([name, encoding]): [string, Front] => [
      `createLogger, ${name}`,
      (value, rules) => {
        const exporter = lineKeeper(encoding)
        const { log } = workbench(rules, exporter)
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

/** What is behind the message of a call of winston's API: it gives the members of the record, or fills placeholders. */
function logBehind(log: ReturnType<typeof winston<never>>, value: unknown): void {
  log.info('m', value as object)
  log.info('m', value as object, value as object)
  log.info('m %s', value as object, value as object)
  log.log('info', value as never)
  log.log('info', 'm', value as object)
  log.child(value as object).info('m')
}

describe.each(Object.entries(fronts))('%s redacts what a pattern finds in bytes', (_, write) => {
  test.each(Object.entries(forms))('%s', (_, value) => {
    expect(isCanaryShown(write(value, { redact }))).toBe(false)
  })

  test('and shows them without the pattern', () => {
    const shown = Object.values(forms).filter((value) => isCanaryShown(write(value, {})))
    expect(shown.length).toBeGreaterThan(5)
  })
})
