import { createWriteStream } from 'node:fs'
import { drained } from './standard-output.ts'
import { winstonSubject } from './winston.ts'

/** With a stream that writes in the background, and all that has waited meanwhile at once. */
export const winstonStream = winstonSubject(
  {
    title: 'winston 3.19, Stream transport to a write stream of node:fs, format.timestamp() and format.json()',
    whenFull: 'keeps everything in memory, without a bound',
  },
  ({ transports }) => {
    // Opened anew: winston asks for `process.stdout`, after which descriptor 1 does not wait for a full pipe any more, and
    // this stream gives up on such a one.
    const stream = createWriteStream('/dev/stdout', { flags: 'a' })
    return { transport: new transports.Stream({ stream }), drained: () => drained(stream) }
  },
)
