import { destination as open, type Destination } from '../shared/destination/destination.ts'
import type { DestinationOptions } from '../shared/destination/options.ts'
import { errorCode } from '../../exporters/fd/write-errors.ts'

/**
 * Opens a destination: a file descriptor, the path of a file, or options. The default is standard output. As in pino, the first `error`
 * event is emitted twice, unless it is EPIPE.
 */
export function destination(given?: number | string | DestinationOptions): Destination {
  const opened = open(given)
  opened.on('newListener', function begin(event: string | symbol) {
    if (event !== 'error') return
    opened.off('newListener', begin)
    // Added together with the first error listener: without one, an emitted error would end the process.
    opened.prependOnceListener('error', (error: NodeJS.ErrnoException) => {
      if (errorCode(error) !== 'EPIPE' && opened.listenerCount('error') > 0) opened.emit('error', error)
    })
  })
  return opened
}
