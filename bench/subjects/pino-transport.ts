import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { processIo } from '../run/process-io.ts'
import { pinoSubject, type PinoTransport } from './pino.ts'

/** pino with a worker thread that writes, as its documentation has it. */
export const pinoTransport = pinoSubject(
  {
    title: "pino 10.4, transport({ target: 'pino/file' }), which is a worker thread",
    whenFull: 'keeps everything in memory, without a bound',
  },
  (pino) => pino.transport({ target: 'pino/file', options: { destination: 1 } }),
  async (transport: PinoTransport) => {
    await promisify(transport.flush.bind(transport))()
    await nothingIsWritten()
  },
)

/** The worker has been given everything by then, but may still write its last piece, and nothing of pino's says so. */
async function nothingIsWritten(): Promise<void> {
  let before: number | undefined
  let now = processIo()?.bytes
  do {
    before = now
    await wait(1)
    now = processIo()?.bytes
  } while (now !== before)
}
