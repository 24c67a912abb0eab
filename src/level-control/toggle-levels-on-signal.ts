import { checkedDirectives } from '../levels/directive-problems.ts'
import type { LevelLayer } from '../levels/level-layer.ts'
import { processLevelLayers } from '../levels/level-layers.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import { choice, checkOptions } from '../options/option-checks.ts'
import { copyOptions } from '../options/own-options.ts'
import { isMainThread } from '../platform/node/main-thread.ts'
import { forMillis } from './for-millis.ts'
import { setLayer } from './level-control.ts'

/** A signal that can change levels. Node itself uses SIGUSR1 to start the debugger. */
export type LevelSignal = 'SIGUSR2' | 'SIGUSR1' | 'SIGHUP'

/** Options of `toggleLevelsOnSignal`. */
export interface LevelSignalOptions {
  /**
   * When the directives are reverted without a second signal, in ms from the first one. `Infinity`: not by themselves.
   *
   * @defaultValue `600_000`
   */
  readonly forMillis?: number
}

/** A signal that changes levels. */
export interface LevelSignalListener extends Disposable {
  /**
   * Stops listening for the signal, and reverts the directives if they are set. If no other listener remains, the signal has its default
   * effect again, which is to end the process.
   */
  stop(): void
}

/**
 * Sets directives when the process receives a signal, and reverts them when it receives the signal again, or after 10 minutes. The
 * listener does not keep the process alive. Other listeners of the signal are called too. In worker threads, which receive no signals, and
 * on Windows, nothing is done.
 *
 * @throws ConfigurationError if the signal, a directive or an option is invalid
 *
 * @example
 * ```ts
 * toggleLevelsOnSignal('SIGUSR2', '*=debug')
 * ```
 */
export function toggleLevelsOnSignal(
  signal: LevelSignal,
  directives: string,
  options: LevelSignalOptions = {},
): LevelSignalListener {
  const { forMillis: duration = 600_000 } = checkedOptions(signal, directives, options)
  let layer: LevelLayer | undefined
  function revert(): boolean {
    const layers = processLevelLayers()
    layers.removeExpired()
    const isSet = layer !== undefined && layers.layers.includes(layer)
    if (layer !== undefined) layers.remove(layer)
    layer = undefined
    return isSet
  }
  function toggle(): void {
    if (!revert()) layer = setLayer(directives, { source: 'signal', by: signal, forMillis: duration })
  }
  function stop(): void {
    process.removeListener(signal, toggle)
    revert()
  }
  if (isMainThread) process.on(signal, toggle)
  return { stop, [Symbol.dispose]: stop }
}

const signals: readonly LevelSignal[] = ['SIGUSR2', 'SIGUSR1', 'SIGHUP']

function checkedOptions(signal: unknown, directives: unknown, options: LevelSignalOptions): LevelSignalOptions {
  const problems: ConfigurationProblem[] = []
  choice(signals)(signal, 'signal', problems)
  checkedDirectives(directives, 'directives', processLevelLayers().knownLevels, problems)
  const copy = copyOptions(options, 'options', problems, [], { 'a number': '{ forMillis: 600_000 }' })
  checkOptions(copy, { forMillis }, 'options', problems)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, 'toggleLevelsOnSignal')
  return copy
}
