import { describe, expect, test } from '@jest/globals'
import { createLogger } from '../../src/create/create-logger.ts'
import type { CreateHandler, HandledRecord } from '../../src/handler/handler.ts'
import { budget } from '../../src/handlers/budget.ts'
import { compose } from '../../src/handlers/compose.ts'
import { dedupe } from '../../src/handlers/dedupe.ts'
import { limit } from '../../src/handlers/limit.ts'
import { route } from '../../src/handlers/route.ts'
import { tee } from '../../src/handlers/tee.ts'
import { eachRecord } from '../support/each-record.ts'
import { capturingExporter } from '../support/files/test-logger.ts'

/** Creates a logger with a flight recorder by tenant and a handler. `take` returns the messages that were written since its last call. */
function open(handler: CreateHandler, redact: readonly string[] = []) {
  const exporter = capturingExporter()
  const log = createLogger({ exporter, recorder: { by: 'tenant' }, handler, redact, handleExit: false, clock: () => 0 })
  function take(): unknown[] {
    const lines = exporter.lines().map((line) => JSON.parse(line))
    exporter.clear()
    return lines.map(({ message }) => message)
  }
  return { log, exporter, take }
}

const handlers: [string, CreateHandler][] = [
  ['limit', limit({ first: 1, keepLevel: 'error' })],
  ['dedupe', dedupe()],
  ['dedupe by a function', dedupe({ by: () => 'all' })],
  ['budget', budget({ bytesPerSecond: 1 })],
  ['tee', tee(limit({ first: 1 }), dedupe())],
  ['route', route((record) => record.level, { debug: dedupe(), info: limit({ first: 1 }) })],
  ['compose', compose(limit({ first: 1 }), dedupe(), budget({ bytesPerSecond: 1 }))],
]

describe('handlers with a flight recorder', () => {
  test.each(handlers)('%s suppresses no held record, so all of them are released', (_name, handler) => {
    const { log, take } = open(handler)
    const child = log.child({ tenant: 'a' })
    for (let step = 0; step < 5; step++) child.debug('step {step}', { step })
    expect(log.stats().exporters[0]).toMatchObject({ recorded: 5, filtered: 0 })
    child.error('failed')
    expect(take()).toEqual(['step 0', 'step 1', 'step 2', 'step 3', 'step 4', 'failed'])
    child.debug('step {step}', { step: 5 })
    expect(take()).toEqual(['step 5'])
  })

  test.each(handlers)('held records use up nothing of the limits of %s for written ones', (_name, handler) => {
    const { log, take } = open(handler)
    for (let step = 0; step < 5; step++) log.child({ tenant: 'a' }).debug('step')
    const verbose = log.child({ tenant: 'b' })
    verbose.level = 'debug'
    for (let step = 0; step < 3; step++) verbose.debug('step')
    expect(take()).toEqual(['step'])
    log.flushSync()
    expect(take()).toEqual([expect.stringMatching(/^(repeated 2 times|suppressed 2 records) in/)])
    expect(log.stats().exporters[0]).toMatchObject({ recorded: 5, filtered: 2 })
  })

  test('a record is held for a handler only if it is below the level of the logger', () => {
    const seen: unknown[] = []
    const { log } = open(eachRecord((record) => seen.push([record.body, record.isHeld])))
    const child = log.child({ tenant: 'a' })
    child.debug('debug')
    child.info('info')
    expect(seen).toEqual([
      ['debug', true],
      ['info', false],
    ])
  })
})

/** Creates a handler that emits a record for each held one, which it drops. */
const emitting = (emitted: (record: HandledRecord) => object) =>
  eachRecord((record, next, host) => {
    if (record.isHeld) host.emit(emitted(record), next)
  })

describe('records that a handler emits on account of a held record', () => {
  test('an emitted record with a level of its own is written with the redaction of the logger', () => {
    const { log, exporter } = open(emitting(({ body }) => ({ level: 'warn', body, attributes: { pin: 7 } })))
    log.child({ tenant: 'a' }, { redact: ['pin'] }).debug('m')
    expect(exporter.lines().map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', message: 'm', attributes: { pin: '[REDACTED]' } },
    ])
  })

  test('an emitted record with the level of the held one is not written', () => {
    const { log, take } = open(emitting(() => ({ body: 'own' })))
    log.child({ tenant: 'a' }).debug('m')
    expect(take()).toEqual([])
    const { emitted, filtered } = log.stats().exporters[0]!
    expect([emitted, filtered]).toEqual([2, 2])
  })

  test('a summary of errors of one key releases nothing of the key whose record or flush writes it', () => {
    const { log, take } = open(dedupe())
    for (let count = 0; count < 2; count++) log.child({ tenant: 'failing' }).error('boom')
    const healthy = log.child({ tenant: 'healthy' })
    healthy.debug('private')
    log.flushSync()
    expect(take()).toEqual(['boom', 'repeated 1 time in 0.0 s: boom'])
    healthy.debug('still private')
    expect(take()).toEqual([])
    expect(log.stats().exporters[0]).toMatchObject({ recorded: 2 })
  })
})
