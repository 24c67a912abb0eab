import { destination, type Destination } from './destination/destination.ts'

/** The standard output by its descriptor, or by itself where somebody has put another `write` on it. */
export function standardOutput(): Destination | NodeJS.WriteStream {
  const { stdout } = process
  const own = (stdout.constructor as { prototype?: { write?: unknown } }).prototype?.write
  return stdout.write === own ? destination(stdout.fd || 1) : stdout
}
