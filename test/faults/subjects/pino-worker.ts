import { pino } from 'pino'
import type { Sink } from '../harness/commands.ts'
import type { OpenSubject, SubjectFacts } from './subject.ts'
import { isKept, Told } from './waiting.ts'

export const open: OpenSubject = (sink, _options, beside) => {
  const told = new Told()
  const targets = (beside === undefined ? [sink] : [beside, sink]).map(targetOf)
  const transport = pino.transport(targets.length === 1 ? targets[0]! : { targets })
  transport.on('error', told.tell)
  const log = pino(transport)
  return {
    log: (level, attributes) => log[level](attributes, 'fault'),
    flush: (timeoutMillis) =>
      isKept(
        new Promise<void>((resolve, reject) =>
          log.flush((error) => (error === undefined || error === null ? resolve() : reject(error))),
        ),
        timeoutMillis,
      ),
    ledger: () => undefined,
    told: () => told.words,
    async shutdown() {
      const closed = new Promise((resolve) => transport.once('close', resolve))
      transport.end()
      await isKept(closed, 5_000)
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
