// Logs a burst and dies. Arguments as JSON: see `plan` in exits.test.ts.
import { createRequire } from 'node:module'
import { createLogger, format, sluiceTransport, transports } from '../../../src/winston.ts'
import { fdExporter, fileExporter } from '../../../src/exporters.ts'

const { front, way, file, records } = JSON.parse(process.argv[2]!) as Record<'front' | 'way' | 'file', string> & {
  records: number
}

const transport =
  front === 'own'
    ? file === ''
      ? new transports.Console()
      : new transports.File({ filename: file })
    : sluiceTransport({ exporter: file === '' ? fdExporter({ format: 'json' }) : fileExporter({ path: file }) })

// In winston a burst waits for the next turn, since its pipe begins to flow there.
const winston = createRequire(import.meta.url)('winston') as { createLogger: typeof createLogger }
const log = (front === 'winston' ? winston : { createLogger }).createLogger({
  format: format.json(),
  transports: transport,
})

setImmediate(() => {
  for (let seq = 0; seq < records; seq++) log.info('burst', { seq, pad: 'x'.repeat(160) })
  if (way === 'exit') process.exit(3)
  if (way === 'throw') throw new Error('mine')
  if (way.startsWith('SIG')) {
    setInterval(() => {}, 1_000)
    process.kill(process.pid, way)
  }
  if (way === 'finish') {
    log.on('finish', () => process.exit(0))
    log.end()
  }
})
