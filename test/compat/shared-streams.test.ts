import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as after } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { default as bole } from '../../src/entries/bole.ts'
import { default as bunyan } from '../../src/entries/bunyan.ts'
import { createLogger } from '../../src/entries/index.ts'
import { fdExporter } from '../../src/entries/exporters.ts'
import { pino } from '../../src/entries/pino.ts'
import * as winston from '../../src/entries/winston.ts'

const roots = 50

interface Root {
  info(message: string): unknown
}

const transport = (stream: Writable) => new winston.transports.Stream({ stream })

/** Functions that create a root logger that writes to a stream. */
const kinds: Readonly<Record<string, (stream: Writable) => Root>> = {
  pino: (stream) => pino({}, stream),
  'pino with a multistream': (stream) => pino({}, pino.multistream([{ stream }])),
  bunyan: (stream) => bunyan.createLogger({ name: 'a', streams: [{ stream, reemitErrorEvents: true }] }),
  bole: (stream) => {
    bole.output({ level: 'info', stream })
    return bole('a')
  },
  winston: (stream) => winston.createLogger({ transports: [transport(stream)] }),
  'winston with handlers of exceptions and rejections': (stream) =>
    winston.createLogger({
      transports: [transport(stream)],
      exceptionHandlers: [transport(stream)],
      rejectionHandlers: [transport(stream)],
    }),
  createLogger: () => createLogger({ exporter: fdExporter({ fd: 2, level: 'fatal' }) }),
}

function close(root: Root): void {
  ;(root as unknown as winston.Logger).close()
}

/** Returns the largest number of listeners of one event. */
function mostListeners(emitter: EventEmitter): number {
  return Math.max(0, ...emitter.eventNames().map((event) => emitter.listenerCount(event)))
}

function listenersOfProcess(): Record<string, number> {
  return Object.fromEntries(process.eventNames().map((event) => [String(event), process.listenerCount(event)]))
}

describe(`${roots} root loggers that share a stream`, () => {
  test.each(Object.keys(kinds).flatMap((name) => [[name, 'fast'] as const, [name, 'slow'] as const]))(
    'root loggers of %s add one listener for each event to a %s stream and to the process',
    async (name, pace) => {
      const stream = new Writable({
        highWaterMark: pace === 'slow' ? 1 : 16_384,
        write: (_chunk, _encoding, done) => (pace === 'slow' ? void setTimeout(done, 1) : done()),
      })
      const warnings: Error[] = []
      const onWarning = (warning: Error): void => void warnings.push(warning)
      process.on('warning', onWarning)
      kinds[name]!(stream).info('first')
      await nextTurn()
      const before = listenersOfProcess()
      const all = Array.from({ length: roots }, () => kinds[name]!(stream))
      for (const root of all) root.info('one')
      await nextTurn()
      expect(mostListeners(stream)).toBeLessThanOrEqual(1)
      expect(listenersOfProcess()).toEqual(before)
      await after(pace === 'slow' ? 5 : 0)
      process.removeListener('warning', onWarning)
      expect(warnings.filter((warning) => warning.name === 'MaxListenersExceededWarning')).toEqual([])
      if (name.startsWith('winston')) for (const root of all) close(root)
    },
  )

  test('each winston logger reports an error of the shared stream', () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done() })
    const codes: string[] = []
    const all = Array.from({ length: roots }, () =>
      winston.createLogger({
        transports: [transport(stream)],
        onDiagnostic: ({ code }) => codes.push(code),
      }),
    )
    stream.emit('error', new Error('broken'))
    expect(codes).toEqual(all.map(() => 'SLUICE_WRITE_FAILED'))
  })

  test('each bunyan logger emits an error of the shared stream', () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done() })
    const errors: unknown[] = []
    for (let i = 0; i < roots; i++) kinds['bunyan']!(stream)
    const last = kinds['bunyan']!(stream) as unknown as EventEmitter
    last.on('error', (error) => errors.push(error))
    const error = new Error('broken')
    stream.emit('error', error)
    expect(errors).toEqual([error])
  })

  test('the listener on the shared stream is removed when the last winston logger is closed', async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done() })
    const all = Array.from({ length: roots }, () => kinds['winston']!(stream))
    const last = all.pop()!
    for (const root of all) close(root)
    await after(20)
    expect(stream.listenerCount('error')).toBe(1)
    close(last)
    await after(20)
    expect(stream.listenerCount('error')).toBe(0)
  })
})
