import bunyan from 'bunyan'
import type { Sink } from '../harness/commands.ts'
import type { OpenSubject, SubjectFacts } from './subject.ts'
import { becomesTrue, ErrorLog } from './waiting.ts'

export const open: OpenSubject = (sink, _options, secondSink) => {
  const errorLog = new ErrorLog()
  const log = bunyan.createLogger({
    name: 'fault',
    streams: (secondSink === undefined ? [sink] : [secondSink, sink]).map(streamTo),
  })
  log.on('error', errorLog.add)
  const { streams } = log as unknown as { streams: { stream: { writableLength: number } }[] }
  // There is no flush: poll the buffers of the streams.
  const flush = (timeoutMillis: number) =>
    becomesTrue(() => streams.every(({ stream }) => stream.writableLength === 0), timeoutMillis)
  return {
    log: (level, attributes) => log[level](attributes, 'fault'),
    flush,
    stats: () => undefined,
    errors: () => errorLog.messages,
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
