import { monotonicNow, type LevelLayer } from '../../levels/level-layer.ts'

/** A layer as threads send it to each other. */
export interface SharedLayer extends Omit<LevelLayer, 'setAt' | 'expiresAt' | 'ignored' | 'thread' | 'isPerThread'> {
  /** `setAt` on the clock that all threads share. */
  readonly sharedSetAt: number
  /** `expiresAt` on the clock that all threads share. */
  readonly sharedExpiresAt: number
  /** The ID of the thread that has set the layer. */
  readonly thread: number
}

/**
 * What to add to `monotonicNow()` for the time of a clock that all threads of the process share, in ms. Their own clocks begin when they
 * start, and the time since the Unix epoch can jump between two starts.
 */
const sharedOffset: number = Number(process.hrtime.bigint()) / 1e6 - monotonicNow()

/** Returns a layer as it is sent. `ownThread` is the ID of this thread. */
export function toShared(
  { id, directives, text, source, by, remoteAddress, setAt, until, expiresAt, thread }: LevelLayer,
  ownThread: number,
): SharedLayer {
  const shared = { id, directives, text, source, by, remoteAddress, until, thread: thread ?? ownThread }
  return { ...shared, sharedSetAt: setAt + sharedOffset, sharedExpiresAt: expiresAt + sharedOffset }
}

/** Returns the layers that were received from another thread and have not expired. */
export function fromShared(layers: readonly SharedLayer[]): LevelLayer[] {
  return layers
    .map(({ sharedSetAt, sharedExpiresAt, ...layer }) => ({
      ...layer,
      ignored: undefined,
      isPerThread: false,
      setAt: sharedSetAt - sharedOffset,
      expiresAt: sharedExpiresAt - sharedOffset,
    }))
    .filter(({ expiresAt }) => expiresAt > monotonicNow())
}

/** Returns whether other threads follow a layer. Each thread reads the environment and the file itself. */
export function isShared({ isPerThread }: LevelLayer): boolean {
  return !isPerThread
}
