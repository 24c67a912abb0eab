import { pinoSubject } from './pino.ts'

/** The fastest configuration of pino, which is not one of its presets. */
export const pinoBuffered = pinoSubject(
  { title: 'pino 10.4, sync: true, minLength: 4096', whenFull: 'blocks in each call that fills the buffer' },
  (pino) => pino.destination({ dest: 1, sync: true, minLength: 4096 }),
  // Without a callback, because with one pino also waits for the disk (fsync).
  (destination) => destination.flush(),
)
