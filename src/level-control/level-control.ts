import { checkedDirectives } from '../levels/directive-problems.ts'
import { levelsOfNames, type LoggerLevel } from '../levels/effective-level.ts'
import { monotonicNow, type LevelLayer, type LevelSource } from '../levels/level-layer.ts'
import { processLevelLayers } from '../levels/level-layers.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import { forMillis } from './for-millis.ts'
import { followOtherThreads } from '../platform/node/level-threads.ts'
import { checkOptions, choice, text } from '../options/option-checks.ts'
import { copyOptions } from '../options/own-options.ts'

/** Controls the levels of all loggers of the process while it runs. */
export interface LevelControl {
  /**
   * Sets directives, such as `db.*=debug,[tenant=acme]=trace`. They override the levels that were set in code and the directives that
   * were set before, for the loggers and records that they match. Existing loggers, their children and detached methods apply them from
   * the next call.
   *
   * @throws ConfigurationError with the position of each invalid directive; nothing is changed then
   */
  set(directives: string, options?: LevelChangeOptions): LevelChange
  /** Returns the directives that are set, and the levels of the loggers in use. */
  describe(): LevelDescription
}

/** Options of `LevelControl.set`. */
export interface LevelChangeOptions {
  /**
   * When the directives are reverted, in ms from now. `Infinity`: not by themselves.
   *
   * @defaultValue `Infinity`
   */
  readonly forMillis?: number
  /**
   * How the directives are set, for the record of the change.
   *
   * @defaultValue `code`
   */
  readonly source?: LevelSource
  /**
   * A label of who sets the directives, for the record of the change.
   *
   * @defaultValue none
   */
  readonly by?: string
  /**
   * The network address of who sets the directives, for the record of the change.
   *
   * @defaultValue none
   */
  readonly remoteAddress?: string
}

/** Directives that were set. */
export interface LevelChange extends Disposable {
  /** Identifies the change in `describe()`. */
  readonly id: string
  /** The directives as they were set. */
  readonly directives: string
  /** Reverts the change. Does nothing if it was reverted or has expired already. */
  revert(): void
}

/** The directives that are set, and the levels of loggers. */
export interface LevelDescription {
  /** The directives, those that were set last first. */
  readonly layers: readonly LevelLayerDescription[]
  /** The loggers in use by name, in alphabetical order. A logger without a name has the name `''`. */
  readonly loggers: readonly LoggerLevel[]
}

/** Directives that were set together. */
export interface LevelLayerDescription {
  /** Identifies them. */
  readonly id: string
  /** The directives as they were set. */
  readonly directives: string
  /** How they were set. */
  readonly source: LevelSource
  /** A label of who set them. */
  readonly by?: string
  /** The network address of who set them. */
  readonly remoteAddress?: string
  /** When they expire, in ms since the Unix epoch. */
  readonly untilMillis?: number
  /** The time until they expire, in ms. */
  readonly remainingMillis?: number
}

/**
 * Returns the control of the levels of all loggers in this process, those of other copies of this package included.
 *
 * @example
 * ```ts
 * const change = levelControl().set('db.*=debug', { forMillis: 600_000 })
 * change.revert()
 * ```
 */
export function levelControl(): LevelControl {
  followOtherThreads()
  return { set, describe }
}

/** The ways in which directives can be set, for the record of the change. */
const sources: readonly LevelSource[] = ['code', 'environment', 'file', 'http', 'signal']

function set(directives: string, options?: LevelChangeOptions): LevelChange {
  const layer = setLayer(directives, options)
  const revert = () => processLevelLayers().remove(layer)
  return { id: layer.id, directives, revert, [Symbol.dispose]: revert }
}

/**
 * Adds a layer, in place of a previous one if `replaced` is set.
 *
 * @throws ConfigurationError, and changes nothing, if an argument is invalid.
 */
export function setLayer(directives: string, givenOptions: LevelChangeOptions = {}, replaced?: LevelLayer): LevelLayer {
  const problems: ConfigurationProblem[] = []
  const options = copyOptions(givenOptions, 'options', problems, [], { 'a number': '{ forMillis: 600_000 }' })
  checkOptions(
    options,
    {
      forMillis,
      source: choice(sources),
      by: text(),
      remoteAddress: text(),
    },
    'options',
    problems,
  )
  const layers = processLevelLayers()
  const parsed = checkedDirectives(directives, 'directives', layers.knownLevels, problems)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'levelControl().set')
  // Before the layer is added, because it is sent to other threads when that happens.
  followOtherThreads()
  const { forMillis: duration = Infinity, source = 'code', by, remoteAddress } = options
  const now = monotonicNow()
  const layer: LevelLayer = {
    id: crypto.randomUUID(),
    directives: parsed,
    text: directives,
    ignored: undefined,
    source,
    by,
    remoteAddress,
    setAt: now,
    until: duration === Infinity ? undefined : Date.now() + duration,
    expiresAt: now + duration,
    thread: undefined,
    isPerThread: false,
  }
  layers.replace(replaced, layer)
  return layer
}

function describe(): LevelDescription {
  const layers = processLevelLayers()
  const now = monotonicNow()
  layers.removeExpired(now)
  return { layers: layers.layers.map((layer) => describeLayer(layer, now)), loggers: levelsOfNames() }
}

function describeLayer({ id, text, source, by, remoteAddress, until, expiresAt }: LevelLayer, now: number) {
  return {
    id,
    directives: text,
    source,
    ...(by !== undefined && { by }),
    ...(remoteAddress !== undefined && { remoteAddress }),
    ...(until !== undefined && { untilMillis: until, remainingMillis: Math.ceil(expiresAt - now) }),
  }
}
