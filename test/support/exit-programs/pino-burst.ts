// Logs a burst through the front of pino and dies. Arguments as JSON: the way, and where to write.
import { writeSync } from 'node:fs'
import { pino } from '../../../src/pino.ts'

const { way, to, minLength } = JSON.parse(process.argv[2]!) as { way: string; to: string; minLength: number }
const target = { target: 'pino/file', options: { destination: to } }
const log =
  to === ''
    ? pino()
    : way.startsWith('transport ')
      ? pino({ transport: target })
      : pino(pino.destination({ dest: to, minLength }))

for (let seq = 0; seq < 2_000; seq++) log.info({ seq, pad: 'x'.repeat(160) }, 'burst')
writeSync(2, 'dying\n')
const death = way.replace('transport ', '')
if (death === 'exit') process.exit(0)
if (death === 'throw') throw new Error('mine')
if (death !== 'end') {
  setInterval(() => {}, 1_000)
  process.kill(process.pid, death)
}
