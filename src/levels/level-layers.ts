import { define } from '../options/define-member.ts'
import { isStandardLevel, silentThreshold, standardLevels, standardSeverities } from '../record/severity.ts'
import type { Directive } from './directive.ts'
import type { KnownLevels } from './parse-directives.ts'

/** How directives were set. */
export type LevelSource = 'code' | 'environment' | 'file' | 'http' | 'signal'

/** Directives that were set together. */
export interface LevelLayer {
  /** Identifies the layer in all threads of the process. */
  readonly id: string
  readonly directives: readonly Directive[]
  /** The directives as text. */
  readonly text: string
  /** What was invalid and is ignored, one sentence each; undefined if all directives are valid. */
  readonly ignored: readonly string[] | undefined
  readonly source: LevelSource
  /** A label of who set them; undefined if it is not known. */
  readonly by: string | undefined
  /** The network address of who set them; undefined if it is not known. */
  readonly remoteAddress: string | undefined
  /** When the layer expires, in ms since the Unix epoch; undefined for a layer that does not expire. */
  readonly until: number | undefined
  /** When the layer expires, in ms of `monotonicNow()`; Infinity for a layer that does not expire. */
  readonly expiresAt: number
  /** Whether another thread has set the layer. That thread reports its changes. */
  readonly isFromOtherThread: boolean
}

/** A change of the layers. */
export interface LevelChangeEvent {
  readonly action: 'set' | 'reverted' | 'expired'
  readonly layer: LevelLayer
  /** The layer that `layer` replaces, or undefined. */
  readonly replaced: LevelLayer | undefined
  /** The directives of all layers before the change, the newest layer first. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  /** Whether this thread has made the change: false if it follows another thread, which reports the change. */
  readonly isLocal: boolean
}

/** Writes changes of levels to the log. */
export interface LevelReporter {
  /** Returns whether the change was written: false after the logger was shut down. */
  report(event: LevelChangeEvent): boolean
}

// Read at load, so that a test runner's fake timers, installed later, cannot stop them.
const { setTimeout, clearTimeout, performance } = globalThis

/** Returns monotonic time in ms, which does not jump with the wall clock. */
export const monotonicNow: () => number = performance.now.bind(performance)

/** The maximum number of custom levels that directives for all loggers can name. */
const maxCustomLevels = 1_000

/** The longest delay of a timer, in ms: about 24 days. A longer one would fire immediately. */
const maxDelayMillis = 2 ** 31 - 1

/**
 * The layers of directives of this process, the newest first. All copies of this package share one object, so that its members change
 * only with the version number of its key.
 */
export class LevelLayers {
  /** Replaced with every change. */
  layers: readonly LevelLayer[] = []
  /** The counters that are incremented with every change: one for each copy of the package. */
  readonly counters: Set<{ count: number }> = new Set()
  /** Called after every change. */
  readonly listeners: Set<(event: LevelChangeEvent) => void> = new Set()
  /** The severity numbers of the additional levels of all loggers. */
  readonly customLevels: Map<string, number> = new Map()
  /** Write changes to the log: each change is reported by the first one that can. Held weakly, each by its logger. */
  private readonly reporters = new Set<WeakRef<LevelReporter>>()
  private readonly collectedReporters = new FinalizationRegistry<WeakRef<LevelReporter>>((reporter) =>
    this.reporters.delete(reporter),
  )
  private timer: ReturnType<typeof setTimeout> | undefined

  /**
   * Adds what reports changes, which must be kept alive elsewhere.
   *
   * @returns a function that removes it, for a logger that is shut down
   */
  addReporter(reporter: LevelReporter): () => void {
    const reference = new WeakRef(reporter)
    this.reporters.add(reference)
    this.collectedReporters.register(reporter, reference, reference)
    return () => {
      this.reporters.delete(reference)
      this.collectedReporters.unregister(reference)
    }
  }

  /** Adds levels that directives for all loggers can name. Names can be data, so that their number is limited. */
  addCustomLevels(levels: Readonly<Record<string, number>>): void {
    for (const [name, severity] of Object.entries(levels))
      if (this.customLevels.size < maxCustomLevels) this.customLevels.set(name, severity)
  }

  /** The levels that directives for all loggers can name. */
  get knownLevels(): KnownLevels {
    const { customLevels } = this
    return {
      names: [...standardLevels, ...customLevels.keys()],
      threshold: (name) =>
        name === 'silent'
          ? silentThreshold
          : (customLevels.get(name) ?? (isStandardLevel(name) ? standardSeverities[name] : undefined)),
    }
  }

  /** Adds a layer as the newest. */
  add(layer: LevelLayer): void {
    this.replace(undefined, layer)
  }

  /** Adds a layer that another thread has set, unless it is set already. */
  addFromOtherThread(layer: LevelLayer): void {
    if (this.layers.every(({ id }) => id !== layer.id)) this.change('set', layer, [layer, ...this.layers], false)
  }

  /** Adds a layer as the newest in place of a previous one, as one change. */
  replace(previous: LevelLayer | undefined, layer: LevelLayer): void {
    const others = this.layers.filter((each) => each !== previous)
    this.change('set', layer, [layer, ...others], true, previous)
  }

  /** Adds a layer as the newest without reporting it, because it is set when the process starts. */
  addInitial(layer: LevelLayer): void {
    this.update([layer, ...this.layers])
  }

  /** Removes a layer, if it has not expired or been removed yet. */
  remove(layer: LevelLayer, action: 'reverted' | 'expired' = 'reverted', isLocal = true): void {
    const others = this.layers.filter((each) => each !== layer)
    if (others.length < this.layers.length) this.change(action, layer, others, isLocal)
  }

  /** Removes the layers that have expired. */
  removeExpired(now: number = monotonicNow()): void {
    for (const layer of this.layers) if (layer.expiresAt <= now) this.remove(layer, 'expired', !layer.isFromOtherThread)
  }

  private change(
    action: LevelChangeEvent['action'],
    layer: LevelLayer,
    layers: readonly LevelLayer[],
    isLocal = true,
    replaced?: LevelLayer,
  ): void {
    const from = this.layers.map(({ text }) => text)
    this.update(layers)
    const event = { action, layer, replaced, from, to: layers.map(({ text }) => text), isLocal }
    for (const listener of this.listeners) callSafely(() => listener(event))
    if (!isLocal) return
    for (const reporter of this.reporters) if (callSafely(() => reporter.deref()?.report(event)) === true) return
  }

  private update(layers: readonly LevelLayer[]): void {
    this.layers = layers
    for (const counter of this.counters) counter.count++
    this.setTimer()
  }

  private setTimer(): void {
    clearTimeout(this.timer)
    const next = Math.min(...this.layers.map(({ expiresAt }) => expiresAt))
    if (next === Infinity) return
    const delay = Math.min(Math.max(next - monotonicNow(), 1), maxDelayMillis)
    this.timer = setTimeout(() => {
      this.removeExpired()
      this.setTimer()
    }, delay)
    // A timer of Node, unlike that of a browser, would keep the process alive.
    ;(this.timer as { unref?: () => void }).unref?.()
  }
}

/** Calls a function whose failure must not prevent a change of levels. */
function callSafely<T>(call: () => T): T | undefined {
  try {
    return call()
  } catch {
    return undefined
  }
}

const layersKey = Symbol.for('sluice/v1/level-layers')

/** Returns the layers of this process, which the first call creates. */
export function processLevelLayers(): LevelLayers {
  const shared = globalThis as { [layersKey]?: LevelLayers }
  if (shared[layersKey] === undefined) define(shared, layersKey, { value: new LevelLayers() })
  return shared[layersKey]!
}
