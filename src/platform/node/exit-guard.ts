import { isMainThread } from './main-thread.ts'
import { exitGuardKey, presentExitGuard, type ExitGuard } from '../../lifecycle/shared-exit-guard.ts'
import type { GuardedPipeline } from '../../lifecycle/platform.ts'
import { endOfTurn, monotonic } from './end-of-turn.ts'
import { define } from '../../options/define-member.ts'
import { member } from '../../options/own-members.ts'
import { NaturalExit, onBeforeExit } from './natural-exit.ts'

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/**
 * Deno, like browsers, reports an uncaught exception only with these events. Listening to them has no other effect. Node has
 * neither event.
 */
const uncaughtEventNames = ['error', 'unhandledrejection'] as const
const globalEventTarget = globalThis as Partial<Record<'addEventListener' | 'removeEventListener', ChangeListener>>
type ChangeListener = (type: string, listener: () => void) => void

/**
 * Drains a pipeline at this thread's `exit` event and, with `handleSignals` in the main thread, on SIGTERM, SIGINT and SIGHUP. The
 * time for draining all pipelines starts at the event; each pipeline has its own limit. Before a natural exit, pipelines that need
 * the event loop get the same time to export (`NaturalExit`). There is no `uncaughtException` listener, because it would keep the
 * process alive. After an uncaught exception, Node emits `exit` with its usual exit code; Deno emits those in
 * `uncaughtEventNames` instead.
 *
 * @returns A function that ends the guarding. When the last pipeline is removed, so are the listeners.
 */
export function guardExit(pipeline: GuardedPipeline): () => void {
  // Define it as not writable, so that another library that modifies globalThis cannot remove the guard.
  if (presentExitGuard() === undefined) {
    define(globalThis, exitGuardKey, { value: Object.freeze(createExitGuard()) })
  }
  return presentExitGuard()!.add(pipeline)
}

function createExitGuard(): ExitGuard {
  // Use an array: there are few pipelines, and the last one is added and removed with each request of a server, which would
  // make a Set reallocate its table repeatedly.
  const pipelines: GuardedPipeline[] = []
  const listenedSignals = new Set<NodeJS.Signals>()
  const naturalExit = new NaturalExit(pipelines)
  let unlistenBeforeExit: (() => void) | undefined
  /** Whether the pipelines were drained for the exit of the process. */
  let hasDrainedForExit = false
  // The time of a signal that was handled in this turn, in ms. If the process exits in the same turn, its time for draining counts from the
  // signal as well; otherwise a stalled reader would be waited for twice.
  let signaledAt: number | undefined

  function add(pipeline: GuardedPipeline): () => void {
    if (pipelines.length === 0) listenForExit()
    pipelines.push(pipeline)
    if (pipeline.handleSignals) updateSignalListeners()
    if (hasDrainedForExit) ignoreErrors(() => pipeline.afterExit())
    return () => {
      const index = pipelines.lastIndexOf(pipeline)
      if (index < 0) return
      if (index === pipelines.length - 1) pipelines.pop()
      else pipelines.splice(index, 1)
      if (pipelines.length === 0) unlistenForExit()
      if (pipeline.handleSignals) updateSignalListeners()
    }
  }

  function listenForExit(): void {
    process.on('exit', onExit)
    unlistenBeforeExit = onBeforeExit(naturalExit.finish)
    changeListeners('addEventListener')
  }

  function unlistenForExit(): void {
    process.removeListener('exit', onExit)
    unlistenBeforeExit?.()
    changeListeners('removeEventListener')
  }

  function changeListeners(change: keyof typeof globalEventTarget): void {
    const changeListener = member(globalEventTarget, change)
    if (changeListener === undefined) return
    for (const type of uncaughtEventNames) changeListener.call(globalEventTarget, type, onUncaught)
  }

  /** Drains as for a signal, because other code may still prevent the exit. */
  function onUncaught(): void {
    drain('signal', monotonic())
  }

  function onExit(): void {
    drainForExit(signaledAt ?? monotonic())
  }

  /**
   * Drains for the exit. A pipeline that drains may log to one that was drained before it. So afterwards each pipeline writes or
   * drops a record when it is logged, and does not queue it.
   */
  function drainForExit(start: number): void {
    drain('exit', start)
    hasDrainedForExit = true
    for (const pipeline of pipelines.slice()) ignoreErrors(() => pipeline.afterExit())
  }

  function drain(occasion: 'signal' | 'exit', start: number): void {
    const all = [...pipelines]
    // First let each pipeline write what does not block, so that a stalled destination does not use up the time of the others.
    if (all.length > 1) for (const pipeline of all) ignoreErrors(() => pipeline.drain(start, 'withoutBlocking'))
    for (const pipeline of all) ignoreErrors(() => pipeline.drain(start + pipeline.exitTimeoutMillis, occasion))
  }

  function updateSignalListeners(): void {
    const shouldListen = isMainThread && pipelines.some((pipeline) => pipeline.handleSignals)
    for (const signal of signals) {
      if (listenedSignals.has(signal) === shouldListen) continue
      if (shouldListen) listen(signal)
      else unlisten(signal)
    }
  }

  function listen(signal: NodeJS.Signals): void {
    listenedSignals.add(signal)
    // Listen first, so that records are written before listeners that end the process run.
    process.prependListener(signal, onSignal)
  }

  function unlisten(signal: NodeJS.Signals): void {
    listenedSignals.delete(signal)
    process.removeListener(signal, onSignal)
  }

  /**
   * Drains on a signal. Our listener is removed while the others run, because libraries such as signal-exit end the process
   * only if theirs is the only listener, and because without other listeners the default action must apply.
   */
  function onSignal(signal: NodeJS.Signals): void {
    signaledAt = monotonic()
    unlisten(signal)
    const isOnlyListener = process.listenerCount(signal) === 0
    // PID 1 survives a signal that it sends to itself, so its pipelines must continue to queue records.
    if (isOnlyListener && process.pid !== 1) drainForExit(signaledAt)
    else drain('signal', signaledAt)
    endOfTurn(() => {
      signaledAt = undefined
      updateSignalListeners()
    })
    if (isOnlyListener) ignoreErrors(() => process.kill(process.pid, signal))
  }

  return { add, runAs: naturalExit.runAs }
}

function ignoreErrors(action: () => void): void {
  try {
    action()
  } catch {
    // An error must not affect other pipelines or listeners; while the process exits, it would replace the exit code.
  }
}
