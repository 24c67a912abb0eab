import type { BroadcastChannel } from 'node:worker_threads'
import type { LevelChangeEvent, LevelLayer } from '../../levels/level-layer.ts'
import { processLevelLayers, type LevelLayers } from '../../levels/level-layers.ts'
import { builtinModule } from './builtin-module.ts'
import { isMainThread } from './main-thread.ts'
import { fromShared, isShared, toShared, type SharedLayer } from './shared-layer.ts'
import { beatMillis, ThreadLeases } from './thread-leases.ts'

type LevelMessage =
  /** Requests the layers of the other threads. */
  | { readonly action: 'request' }
  /** Sends all layers that a thread has set. */
  | { readonly action: 'layers'; readonly thread: number; readonly layers: readonly SharedLayer[] }
  | { readonly action: 'ended'; readonly thread: number }

const channelName = 'sluice/v1/level-layers'
const mainThreadId = 0

// Read at load, so that a test runner's fake timers, installed later, cannot stop them.
const { setInterval, clearInterval } = globalThis

/**
 * Shares the directives that this thread sets with the other threads of the process that call this, and follows theirs. A thread that is
 * started later begins with the directives of the thread that starts it, and then requests those that were set meanwhile. The directives
 * of a thread are reverted when it ends. Only the first call in a thread has an effect. Never throws.
 */
export function followOtherThreads(): void {
  const layers = processLevelLayers()
  if (layers.followsThreads) return
  layers.followsThreads = true
  try {
    const threads = builtinModule('node:worker_threads')
    if (threads !== undefined) new ThreadFollower(layers, threads).start()
  } catch {
    // A runtime without threads, or one that implements only a part of them.
  }
}

/** Calls `followOtherThreads` in a worker thread. */
export function followMainThread(): void {
  if (!isMainThread) followOtherThreads()
}

class ThreadFollower {
  private readonly layers: LevelLayers
  private readonly threads: typeof import('node:worker_threads')
  private readonly channel: BroadcastChannel
  private readonly leases: ThreadLeases
  /** Whether this thread has set a layer, so that other threads may have one of it. */
  private hasSet = false
  private beat: ReturnType<typeof setInterval> | undefined

  constructor(layers: LevelLayers, threads: typeof import('node:worker_threads')) {
    this.layers = layers
    this.threads = threads
    this.channel = new threads.BroadcastChannel(channelName)
    this.channel.unref()
    // One thread reports the end of another one: the main thread, which is there.
    this.leases = new ThreadLeases((thread) => layers.removeOfThread(thread, isMainThread))
  }

  start(): void {
    const { threads, layers } = this
    if (!isMainThread) this.inherit()
    this.channel.addEventListener('message', (event) => this.receive((event as MessageEvent).data as LevelMessage))
    layers.listeners.add((event) => this.onChange(event))
    this.shareWithNewThreads()
    this.send({ action: 'request' })
    // A thread that is terminated emits no `exit`.
    if (!isMainThread)
      process.once('exit', () => this.hasSet && this.send({ action: 'ended', thread: threads.threadId }))
  }

  /** Adds the layers that the thread that has started this one had at that time. */
  private inherit(): void {
    const inherited = this.threads.getEnvironmentData(channelName)
    if (!Array.isArray(inherited)) return
    for (const [thread, shared] of Map.groupBy(inherited as SharedLayer[], (layer) => layer.thread))
      this.set(thread, shared)
  }

  private receive(message: LevelMessage): void {
    if (message.action === 'request') {
      if (this.hasSet) this.sendLayers()
    } else if (message.action === 'layers') this.set(message.thread, message.layers)
    else {
      this.leases.release(message.thread)
      this.layers.removeOfThread(message.thread, isMainThread)
    }
  }

  /** Sets the layers of another thread. */
  private set(thread: number, shared: readonly SharedLayer[]): void {
    this.layers.setOfThread(thread, fromShared(shared))
    // The process ends with the main thread, which therefore sends no signs of life.
    if (thread === mainThreadId || shared.length === 0) this.leases.release(thread)
    else this.leases.renew(thread)
  }

  private onChange({ layer }: LevelChangeEvent): void {
    this.shareWithNewThreads()
    if (layer.thread !== undefined || !isShared(layer)) return
    this.hasSet = true
    this.sendLayers()
    if (isMainThread) return
    clearInterval(this.beat)
    if (this.ownLayers().length > 0) this.beat = setInterval(() => this.sendLayers(), beatMillis).unref()
  }

  private shareWithNewThreads(): void {
    this.threads.setEnvironmentData(channelName, this.shared(this.layers.layers.filter(isShared)))
  }

  private ownLayers(): LevelLayer[] {
    return this.layers.layers.filter((layer) => layer.thread === undefined && isShared(layer))
  }

  private sendLayers(): void {
    this.send({ action: 'layers', thread: this.threads.threadId, layers: this.shared(this.ownLayers()) })
  }

  private shared(layers: readonly LevelLayer[]): SharedLayer[] {
    return layers.map((layer) => toShared(layer, this.threads.threadId))
  }

  private send(message: LevelMessage): void {
    // oxlint-disable-next-line require-post-message-target-origin -- this is not a window
    this.channel.postMessage(message)
  }
}
