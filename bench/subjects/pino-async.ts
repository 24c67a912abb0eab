import { once } from 'node:events'
import { pinoSubject } from './pino.ts'

/** pino's asynchronous preset, as its documentation has it. */
export const pinoAsync = pinoSubject(
  { title: 'pino 10.4, sync: false, minLength: 4096', whenFull: 'keeps everything in memory, without a bound' },
  (pino) => pino.destination({ dest: 1, sync: false, minLength: 4096 }),
  async (destination) => {
    // A drain can leave less than minLength behind, and nothing public says so. With a callback, flush would wait for the
    // disk (fsync) as well.
    // oxlint-disable-next-line no-underscore-dangle
    while (destination._len > 0) {
      const drained = once(destination, 'drain')
      destination.flush()
      await drained
    }
  },
)
