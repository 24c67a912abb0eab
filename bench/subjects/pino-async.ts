import { once } from 'node:events'
import { pinoSubject } from './pino.ts'

/** pino with asynchronous writes, as in its documentation. */
export const pinoAsync = pinoSubject(
  { title: 'pino 10.4, sync: false, minLength: 4096', whenFull: 'keeps everything in memory, without a limit' },
  (pino) => pino.destination({ dest: 1, sync: false, minLength: 4096 }),
  async (destination) => {
    // After a drain, less than `minLength` can be left, which no public property shows. `flush` has no callback, because
    // with one it would also wait for the disk (fsync).
    // oxlint-disable-next-line no-underscore-dangle
    while (destination._len > 0) {
      const drained = once(destination, 'drain')
      destination.flush()
      await drained
    }
  },
)
