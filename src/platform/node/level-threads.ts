import { monotonicNow, processLevelLayers, type LevelChangeEvent, type LevelLayer } from '../../levels/level-layers.ts'
import { builtinModule } from './builtin-module.ts'
import { isMainThread } from './main-thread.ts'

/** A layer as threads send it. Their monotonic clocks begin at different times. */
interface SharedLayer extends Omit<LevelLayer, 'expiresAt' | 'ignored' | 'isFromOtherThread'> {
  /** When the layer expires, in ms of the monotonic clock since the Unix epoch. */
  readonly expiresAtEpoch: number
}

type LevelMessage =
  | { readonly action: 'set'; readonly layer: SharedLayer; readonly replacedId: string | undefined }
  | { readonly action: 'reverted'; readonly id: string }

const channelName = 'sluice/v1/level-layers'
let isFollowing = false

/**
 * Shares the directives that this thread sets with the other threads of the process that call this, and follows theirs. Threads that are
 * started later have the directives of the thread that starts them. Files and the environment are not shared, because each thread reads
 * them. Only the first call in a thread has an effect. Never throws.
 */
export function followOtherThreads(): void {
  if (isFollowing) return
  isFollowing = true
  try {
    const threads = builtinModule('node:worker_threads')
    if (threads === undefined) return
    const layers = processLevelLayers()
    if (!isMainThread) for (const layer of inheritedLayers(threads).toReversed()) addShared(layer)
    const channel = new threads.BroadcastChannel(channelName)
    channel.unref()
    channel.addEventListener('message', (event) => receive((event as MessageEvent).data as LevelMessage))
    layers.listeners.add((event) => {
      threads.setEnvironmentData(channelName, layers.layers.filter(isShared).map(toShared))
      const message = messageOf(event)
      // oxlint-disable-next-line require-post-message-target-origin -- this is not a window
      if (message !== undefined) channel.postMessage(message)
    })
    threads.setEnvironmentData(channelName, layers.layers.filter(isShared).map(toShared))
  } catch {
    // A runtime without threads, or one that implements only a part of them.
  }
}

/** Calls `followOtherThreads` in a worker thread. */
export function followMainThread(): void {
  if (!isMainThread) followOtherThreads()
}

/** Returns the layers that were set in the thread that has started this one, the newest first. */
function inheritedLayers(threads: typeof import('node:worker_threads')): readonly SharedLayer[] {
  const inherited = threads.getEnvironmentData(channelName)
  return Array.isArray(inherited) ? (inherited as SharedLayer[]) : []
}

function messageOf({ action, layer, replaced, isLocal }: LevelChangeEvent): LevelMessage | undefined {
  // Each thread notices itself that a layer has expired.
  if (!isLocal || action === 'expired' || !isShared(layer)) return undefined
  return action === 'set' ? { action, layer: toShared(layer), replacedId: replaced?.id } : { action, id: layer.id }
}

function receive(message: LevelMessage): void {
  if (message.action === 'set') {
    addShared(message.layer)
    if (message.replacedId !== undefined) removeShared(message.replacedId)
  } else removeShared(message.id)
}

function removeShared(id: string): void {
  const layers = processLevelLayers()
  const layer = layers.layers.find((each) => each.id === id)
  if (layer !== undefined) layers.remove(layer, 'reverted', false)
}

function addShared({ expiresAtEpoch, ...layer }: SharedLayer): void {
  const expiresAt = expiresAtEpoch - performance.timeOrigin
  if (expiresAt > monotonicNow())
    processLevelLayers().addFromOtherThread({ ...layer, ignored: undefined, expiresAt, isFromOtherThread: true })
}

function toShared({ id, directives, text, source, by, remoteAddress, until, expiresAt }: LevelLayer): SharedLayer {
  const expiresAtEpoch = expiresAt + performance.timeOrigin
  return { id, directives, text, source, by, remoteAddress, until, expiresAtEpoch }
}

function isShared({ source }: LevelLayer): boolean {
  return source !== 'file' && source !== 'environment'
}
