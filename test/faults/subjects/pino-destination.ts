import { pino, type DestinationStream } from 'pino'
import type { Sink } from '../harness/commands.ts'
import type { OpenSubject } from './subject.ts'
import { isKept, Told } from './waiting.ts'

type Destination = ReturnType<typeof pino.destination>

/** pino in the program's own thread. */
export function openPino(make: (dest: string | number) => Destination): OpenSubject {
  return (sink, _options, beside) => {
    const told = new Told()
    const destination = destinationTo(sink, make, told)
    const second = beside === undefined ? undefined : destinationTo(beside, make, told)
    const all: DestinationStream =
      second === undefined ? destination : pino.multistream([{ stream: second }, { stream: destination }])
    const log = pino({}, all)
    const flush = () =>
      new Promise<void>((resolve, reject) => {
        // A flush in the middle of another calls nobody back before both are done.
        destination.flush((error) => (error === undefined || error === null ? resolve() : reject(error)))
      })
    return {
      log: (level, attributes) => log[level](attributes, 'fault'),
      flush: (timeoutMillis) => isKept(flush(), timeoutMillis),
      ledger: () => undefined,
      told: () => told.words,
      reopen: () => destination.reopen(),
      async shutdown() {
        const closed = new Promise((resolve) => destination.once('close', resolve))
        destination.end()
        await isKept(closed, 5_000)
      },
    }
  }
}

function destinationTo(sink: Sink, make: (dest: string | number) => Destination, told: Told): Destination {
  const destination = make(sink.to === 'file' ? sink.path : 1)
  destination.on('error', told.tell)
  return destination
}
