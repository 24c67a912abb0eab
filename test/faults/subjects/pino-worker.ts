import { pino } from 'pino'
import type { Sink } from '../harness/commands.ts'
import type { OpenSubject, SubjectFacts } from './subject.ts'
import { resolvesWithin, ErrorLog } from './waiting.ts'

export const open: OpenSubject = (sink, _options, secondSink) => {
  const errorLog = new ErrorLog()
  const targets = (secondSink === undefined ? [sink] : [secondSink, sink]).map(targetOf)
  const transport = pino.transport(targets.length === 1 ? targets[0]! : { targets })
  transport.on('error', errorLog.add)
  const log = pino(transport)
  return {
    log: (level, attributes) => log[level](attributes, 'fault'),
    flush: (timeoutMillis) =>
      resolvesWithin(
        new Promise<void>((resolve, reject) =>
          log.flush((error) => (error === undefined || error === null ? resolve() : reject(error))),
        ),
        timeoutMillis,
      ),
    stats: () => undefined,
    errors: () => errorLog.messages,
    async shutdown() {
      const closed = new Promise((resolve) => transport.once('close', resolve))
      transport.end()
      await resolvesWithin(closed, 5_000)
    },
  }
}

function targetOf(sink: Sink): { target: string; options: object } {
  return { target: 'pino/file', options: sink.to === 'file' ? { destination: sink.path } : { destination: 1 } }
}

export const facts: SubjectFacts = {
  package: 'pino',
  setup:
    "`pino.transport({ target: 'pino/file', options: { destination } })`, which writes in a worker thread; with an `error` listener",
}
