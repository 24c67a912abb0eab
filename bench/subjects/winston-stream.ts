import { createWriteStream } from 'node:fs'
import { drained } from './standard-output.ts'
import { winstonSubject } from './winston.ts'

/** winston with a stream that writes in the background, all buffered lines in one write. */
export const winstonStream = winstonSubject(
  {
    title: 'winston 3.19, Stream transport to a write stream of node:fs, format.timestamp() and format.json()',
    whenFull: 'keeps everything in memory, without a limit',
  },
  ({ transports }) => {
    // Opened again, because winston accesses `process.stdout`, which makes descriptor 1 non-blocking, and this stream fails
    // if a non-blocking pipe is full.
    const stream = createWriteStream('/dev/stdout', { flags: 'a' })
    return { transport: new transports.Stream({ stream }), drained: () => drained(stream) }
  },
)
