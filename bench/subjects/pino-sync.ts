import { pinoSubject } from './pino.ts'

/** pino with its defaults: a write for each record. */
export const pinoSync = pinoSubject(
  { title: 'pino 10.4, sync: true', whenFull: 'blocks in each call' },
  (pino) => pino.destination({ dest: 1, sync: true }),
  () => {},
)
