import type { Payload } from '../methods/burst/variant.ts'
import { paths } from './payload.ts'
import { againstAsyncPino, againstPino, againstStrongestPino, burstScenario } from './burst-scenario.ts'

const trace = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }

export const spanPayload: Payload = {
  setup: { trace },
  run(log, from, to) {
    for (let i = from; i < to; i++) {
      log.attributes('request served', { seq: i, path: paths[i % paths.length], status: 200 })
    }
  },
  expected: (i) => ({
    message: 'request served',
    attributes: { seq: i, path: paths[i % paths.length], status: 200 },
    trace,
  }),
}

export const span = burstScenario('A message and three attributes inside an active span', spanPayload, {
  targets: [againstPino(0.27), againstAsyncPino, againstStrongestPino],
  more: { file: ['pino-async', 'pino-transport', 'sdk-logs'] },
})
