import { describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import { defineEvent } from '../../src/logger/events.ts'
import { formats } from '../support/values/formats.ts'
import { capturingExporter } from '../support/files/test-logger.ts'
import { loggingApis } from './logging-apis.ts'

function detached<T>(create: (buffer: ArrayBuffer) => T): T {
  const buffer = new ArrayBuffer(8)
  const view = create(buffer)
  structuredClone(buffer, { transfer: [buffer] })
  return view
}

function withThrowing(member: string): object {
  return Object.defineProperty(new Uint8Array(8), member, {
    get() {
      throw new Error('unreadable')
    },
  })
}

const unreadable: readonly [string, () => object][] = [
  ['a Uint8Array whose buffer is detached', () => detached((buffer) => new Uint8Array(buffer))],
  ['a Buffer whose memory is detached', () => detached((buffer) => Buffer.from(buffer))],
  ['a Float64Array whose buffer is detached', () => detached((buffer) => new Float64Array(buffer))],
  ['a DataView whose buffer is detached', () => detached((buffer) => new DataView(buffer))],
  ['a detached ArrayBuffer', () => detached((buffer) => buffer)],
  ['bytes whose member buffer throws', () => withThrowing('buffer')],
  ['bytes whose member byteLength throws', () => withThrowing('byteLength')],
  ['bytes whose member byteOffset throws', () => withThrowing('byteOffset')],
]

describe('a thrown value that is unreadable bytes', () => {
  const cases = unreadable.flatMap(([what, create]) =>
    formats.map(([format, encoding]) => [what, format, create, encoding] as const),
  )
  test.each(cases)('%s is logged as an exception in the format %s', (_what, _format, create, encoding) => {
    const log = createLogger({
      exporter: { ...capturingExporter(), encoding },
      handleExit: false,
      redact: { patterns: ['credentials'] },
    })
    defineEvent('failed', { level: 'error' })(log, {}, create())
    expect(log.stats()).toMatchObject({ emitted: 1, written: 1, dropped: { total: 0 } })
  })
})

describe.each(Object.keys(loggingApis))('members that are unreadable bytes in %s', (name) => {
  const outputOf = (value: object): number =>
    loggingApis[name]!({ canary: 'alive-4711', value }, { patterns: ['credentials', 'card'] }).split('alive-4711')
      .length

  test.each(unreadable)('%s loses no record', (_what, create) => {
    expect(outputOf(create())).toBe(outputOf(new Uint8Array(8)))
  })
})
