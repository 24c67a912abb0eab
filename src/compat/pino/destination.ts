import { destination as open, type Destination } from '../shared/destination/destination.ts'
import type { DestinationOptions } from '../shared/destination/options.ts'
import { errorCode } from '../../exporters/fd/write-errors.ts'

/**
 * A destination: a descriptor, the path of a file, or options. Default: the standard output. As pino's does, it says its first error
 * twice, unless that is EPIPE.
 */
export function destination(given?: number | string | DestinationOptions): Destination {
  const made = open(given)
  made.on('newListener', function begin(event: string | symbol) {
    if (event !== 'error') return
    made.off('newListener', begin)
    // Not before somebody listens: an error that nobody hears would end the process.
    made.prependOnceListener('error', (error: NodeJS.ErrnoException) => {
      if (errorCode(error) !== 'EPIPE' && made.listenerCount('error') > 0) made.emit('error', error)
    })
  })
  return made
}
