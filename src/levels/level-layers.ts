import { define } from '../options/define-member.ts'
import { isStandardLevel, standardLevels } from '../record/severity.ts'
import { callSafely } from './call-safely.ts'
import { monotonicNow, type LevelChangeEvent, type LevelLayer } from './level-layer.ts'
import { LevelReporters } from './level-reporters.ts'
import type { LevelNames } from './resolve-level.ts'

// Read at load, so that a test runner's fake timers, installed later, cannot stop them.
const { setTimeout, clearTimeout } = globalThis

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
  /** The names of the additional levels of all loggers. */
  readonly customLevels: Set<string> = new Set()
  /** Write changes to the log. */
  readonly reporters: LevelReporters = new LevelReporters()
  /** Whether the environment and the file are in use, which only one copy of the package reads. */
  hasSources: boolean = false
  /** Whether the layers of other threads are followed, by one copy of the package. */
  followsThreads: boolean = false
  private timer: ReturnType<typeof setTimeout> | undefined

  /** Adds levels that directives for all loggers can name. Names can be data, so that their number is limited. */
  addCustomLevels(names: Iterable<string>): void {
    for (const name of names)
      if (!isStandardLevel(name) && this.customLevels.size < maxCustomLevels) this.customLevels.add(name)
  }

  /** The levels that directives for all loggers can name. */
  get knownLevels(): LevelNames {
    const { customLevels } = this
    return {
      names: [...standardLevels, ...customLevels],
      has: (name) => name === 'silent' || isStandardLevel(name) || customLevels.has(name),
    }
  }

  /** Adds a layer as the newest in place of a previous one, as one change. */
  replace(previous: LevelLayer | undefined, layer: LevelLayer): void {
    this.change(
      'set',
      layer,
      withLayer(
        this.layers.filter((each) => each !== previous),
        layer,
      ),
    )
  }

  /** Adds a layer without reporting it, because it is set when the process starts. */
  addInitial(layer: LevelLayer): void {
    this.update(withLayer(this.layers, layer))
  }

  /** Removes a layer, if it has not expired or been removed yet. */
  remove(layer: LevelLayer, action: 'reverted' | 'expired' = 'reverted', isReported = true): void {
    const others = this.layers.filter((each) => each !== layer)
    if (others.length < this.layers.length) this.change(action, layer, others, isReported)
  }

  /** Removes the layers that have expired. */
  removeExpired(now: number = monotonicNow()): void {
    for (const layer of this.layers)
      if (layer.expiresAt <= now) this.remove(layer, 'expired', layer.thread === undefined)
  }

  /** Sets the layers of another thread in place of those that it had set before. That thread reports the change. */
  setOfThread(thread: number, layers: readonly LevelLayer[]): void {
    for (const layer of this.layers)
      if (layer.thread === thread && !isIn(layers, layer)) this.remove(layer, 'reverted', false)
    for (const layer of layers)
      if (!isIn(this.layers, layer)) this.change('set', layer, withLayer(this.layers, layer), false)
  }

  /** Removes the layers of a thread that has ended. */
  removeOfThread(thread: number, isReported: boolean): void {
    for (const layer of this.layers) if (layer.thread === thread) this.remove(layer, 'reverted', isReported)
  }

  private change(
    action: LevelChangeEvent['action'],
    layer: LevelLayer,
    layers: readonly LevelLayer[],
    isReported = true,
  ): void {
    const from = this.layers
    this.update(layers)
    const event = { action, layer, from, to: layers }
    for (const listener of this.listeners) callSafely(() => listener(event))
    if (isReported) this.reporters.report(event)
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

function isIn(layers: readonly LevelLayer[], { id }: LevelLayer): boolean {
  return layers.some((layer) => layer.id === id)
}

/** Returns layers with another one, the newest first. Of layers that were set at the same time, the added one is the newest. */
function withLayer(layers: readonly LevelLayer[], layer: LevelLayer): readonly LevelLayer[] {
  const index = layers.findIndex(({ setAt }) => setAt <= layer.setAt)
  return index < 0 ? [...layers, layer] : layers.toSpliced(index, 0, layer)
}

const layersKey = Symbol.for('sluice/v1/level-layers')

/** Returns the layers of this process, which the first call creates. */
export function processLevelLayers(): LevelLayers {
  const shared = globalThis as { [layersKey]?: LevelLayers }
  if (shared[layersKey] === undefined) define(shared, layersKey, { value: new LevelLayers() })
  return shared[layersKey]!
}
