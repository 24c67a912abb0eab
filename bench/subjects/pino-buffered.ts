import { pinoSubject } from './pino.ts'

/** The strongest pino: neither of its presets. */
export const pinoBuffered = pinoSubject(
  { title: 'pino 10.4, sync: true, minLength: 4096', whenFull: 'blocks in each call that fills the buffer' },
  (pino) => pino.destination({ dest: 1, sync: true, minLength: 4096 }),
  // Without a callback: with one, pino waits for the disk (fsync) as well.
  (destination) => destination.flush(),
)
