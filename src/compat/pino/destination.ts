import { destination as open, type Destination } from '../shared/destination/destination.ts'
import type { DestinationOptions } from '../shared/destination/options.ts'
import { errorCode } from '../../exporters/fd/write-errors.ts'

/**
 * Opens a destination: a file descriptor, the path of a file, or options. The default is standard output. As in pino, the first `error`
 * event is emitted twice, unless it is EPIPE.
 */
export function destination(pathOrOptions?: number | string | DestinationOptions): Destination {
  const opened = open(pathOrOptions)
  opened.on('newListener', function addOnFirstListener(event: string | symbol) {
    if (event !== 'error') return
    opened.off('newListener', addOnFirstListener)
    // Not added before the user's first error listener: without any listener, the destination reports errors as diagnostics.
    opened.prependOnceListener('error', (error: NodeJS.ErrnoException) => {
      if (errorCode(error) !== 'EPIPE' && opened.listenerCount('error') > 0) opened.emit('error', error)
    })
  })
  return opened
}
