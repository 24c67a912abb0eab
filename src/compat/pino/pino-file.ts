// The target `pino/file`: a destination in the thread of a transport.
import { destination } from '../shared/destination/destination.ts'
import type { Destination } from '../shared/destination/destination.ts'
import type { DestinationOptions } from '../shared/destination/options.ts'
import { withoutPrototype } from '../../options/own-members.ts'

/** Options of the target `pino/file`: those of a destination, with `destination` instead of `dest`. */
interface FileOptions extends DestinationOptions {
  readonly destination?: string | number
}

/** Opens the destination of the target `pino/file`. Resolves when it is open. */
export function pinoFile(fileOptions: FileOptions = {}): Promise<Destination> {
  const { destination: dest = 1, ...options } = withoutPrototype(fileOptions)
  const stream = destination({ ...options, dest, sync: false })
  return new Promise((resolve) => stream.once('ready', () => resolve(stream)))
}
