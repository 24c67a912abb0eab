// The target `pino/file`: a destination in the thread of a transport.
import { destination } from '../shared/destination/destination.ts'
import type { Destination } from '../shared/destination/destination.ts'
import type { DestinationOptions } from '../shared/destination/options.ts'
import { ownCopy } from '../../options/own-members.ts'

/** Options of the target `pino/file`: those of a destination, with `destination` instead of `dest`. */
interface FileOptions extends DestinationOptions {
  readonly destination?: string | number
}

/** Creates the stream of the target `pino/file`. */
export function pinoFile(given: FileOptions = {}): Promise<Destination> {
  const { destination: dest = 1, ...options } = ownCopy(given)
  const stream = destination({ ...options, dest, sync: false })
  return new Promise((resolve) => stream.once('ready', () => resolve(stream)))
}
