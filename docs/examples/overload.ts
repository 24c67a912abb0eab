// A destination that accepts nothing while the queue overflows.
import { createLogger } from 'sluice'
import { jsonLines, type Exporter } from 'sluice/exporters'

const arrived: string[] = []
const opened = Promise.withResolvers<void>()

const slow: Exporter = {
  name: 'slow',
  encoding: jsonLines(),
  schedule: 'turn',
  delivery: { maxQueueBytes: 2_000, onFull: 'dropLowest' },
  async export(batch) {
    await opened.promise
    arrived.push(batch.text())
    return { status: 'accepted' }
  },
}

const log = createLogger({ exporter: slow, onDiagnostic: ({ code }) => console.log(`diagnostic: ${code}`) })
for (let i = 0; i < 100; i++) log.debug('not even emitted')
for (let i = 0; i < 100; i++) log.info('progress', { i })
for (let i = 0; i < 5; i++) log.error('failure', { i })

opened.resolve()
await log.flush() // the drop report is logged as soon as there is room again
await log.shutdown()

const lines = arrived.join('').trimEnd().split('\n')
console.log(lines.filter((line) => line.includes('"failure"')).length, 'failures arrived')
console.log(lines.at(-1))
const { emitted, written, queued, unknown, dropped } = log.stats()
console.log(emitted === written + queued + unknown + dropped.total, dropped.byReason.queue_full, dropped.byLevel.error)
