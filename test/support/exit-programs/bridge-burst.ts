// Logs a burst through the front of bunyan or of bole and dies. Arguments as JSON: the front, the way, and where to write.
import { writeSync } from 'node:fs'
import bole from '../../../src/bole.ts'
import { createLogger } from '../../../src/bunyan.ts'

const { front, way, to } = JSON.parse(process.argv[2]!) as { front: string; way: string; to: string }
const log = front === 'bole' ? bole.output({ level: 'info' })('burst') : bunyanLogger()

function bunyanLogger(): { info(fields: object, message: string): void } {
  if (to === '') return createLogger({ name: 'burst' })
  const type = front === 'bunyan rotating' ? 'rotating-file' : 'file'
  return createLogger({ name: 'burst', streams: [{ type, path: to }] })
}

for (let seq = 0; seq < 2_000; seq++) log.info({ seq, pad: 'x'.repeat(160) }, 'burst')
writeSync(2, 'dying\n')
if (way === 'exit') process.exit(0)
if (way === 'throw') throw new Error('mine')
if (way !== 'end') {
  setInterval(() => {}, 1_000)
  process.kill(process.pid, way)
}
