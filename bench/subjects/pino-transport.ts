import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { processIo } from '../run/process-io.ts'
import { pinoSubject, type PinoTransport } from './pino.ts'

/** pino with a worker thread that writes, as in its documentation. */
export const pinoTransport = pinoSubject(
  {
    title: "pino 10.4, transport({ target: 'pino/file' }), a worker thread",
    whenFull: 'keeps everything in memory, without a limit',
  },
  (pino) => pino.transport({ target: 'pino/file', options: { destination: 1 } }),
  async (transport: PinoTransport) => {
    await promisify(transport.flush.bind(transport))()
    await writesEnded()
  },
)

/** Waits until the worker has written its last piece, because pino has no event for it. */
async function writesEnded(): Promise<void> {
  let before: number | undefined
  let now = processIo()?.bytes
  do {
    before = now
    await wait(1)
    now = processIo()?.bytes
  } while (now !== before)
}
