import { pino, type DestinationStream } from 'pino'
import type { Sink } from '../harness/commands.ts'
import type { OpenSubject } from './subject.ts'
import { resolvesWithin, ErrorLog } from './waiting.ts'

type Destination = ReturnType<typeof pino.destination>

/** Returns pino with a destination in the main thread. */
export function openPino(make: (dest: string | number) => Destination): OpenSubject {
  return (sink, _options, secondSink) => {
    const errorLog = new ErrorLog()
    const destination = destinationTo(sink, make, errorLog)
    const second = secondSink === undefined ? undefined : destinationTo(secondSink, make, errorLog)
    const all: DestinationStream =
      second === undefined ? destination : pino.multistream([{ stream: second }, { stream: destination }])
    const log = pino({}, all)
    const flush = () =>
      new Promise<void>((resolve, reject) => {
        // Callbacks of concurrent flushes are called when all are done.
        destination.flush((error) => (error === undefined || error === null ? resolve() : reject(error)))
      })
    return {
      log: (level, attributes) => log[level](attributes, 'fault'),
      flush: (timeoutMillis) => resolvesWithin(flush(), timeoutMillis),
      stats: () => undefined,
      errors: () => errorLog.messages,
      reopen: () => destination.reopen(),
      async shutdown() {
        const closed = new Promise((resolve) => destination.once('close', resolve))
        destination.end()
        await resolvesWithin(closed, 5_000)
      },
    }
  }
}

function destinationTo(sink: Sink, make: (dest: string | number) => Destination, errorLog: ErrorLog): Destination {
  const destination = make(sink.to === 'file' ? sink.path : 1)
  destination.on('error', errorLog.add)
  return destination
}
