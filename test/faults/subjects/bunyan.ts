import bunyan from 'bunyan'
import type { Sink } from '../harness/commands.ts'
import type { OpenSubject, SubjectFacts } from './subject.ts'
import { comesTrue, Told } from './waiting.ts'

export const open: OpenSubject = (sink, _options, beside) => {
  const told = new Told()
  const log = bunyan.createLogger({
    name: 'fault',
    streams: (beside === undefined ? [sink] : [beside, sink]).map(streamTo),
  })
  log.on('error', told.tell)
  const { streams } = log as unknown as { streams: { stream: { writableLength: number } }[] }
  // It has none: a program looks at what its streams hold.
  const flush = (timeoutMillis: number) =>
    comesTrue(() => streams.every(({ stream }) => stream.writableLength === 0), timeoutMillis)
  return {
    log: (level, attributes) => log[level](attributes, 'fault'),
    flush,
    ledger: () => undefined,
    told: () => told.words,
    reopen: () => log.reopenFileStreams(),
    shutdown: async () => void (await flush(5_000)),
  }
}

function streamTo(sink: Sink): bunyan.Stream {
  return sink.to === 'file' ? { path: sink.path } : { stream: process.stdout }
}

export const facts: SubjectFacts = {
  package: 'bunyan',
  setup: '`streams: [{ path }]` or `[{ stream: process.stdout }]`; with an `error` listener',
}
