import { isMainThread } from './main-thread.ts'
import { exitGuardKey, presentExitGuard, type ExitGuard } from '../../lifecycle/exit-guard-place.ts'
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
 * Drains a pipeline at this thread's `exit` event and, in the main thread, on SIGTERM, SIGINT and SIGHUP. The time for draining
 * all pipelines starts at the event; each pipeline has its own limit. Before a natural exit, pipelines that need the event loop
 * get the same time to export (`NaturalExit`). There is no `uncaughtException` listener, because it would keep the process alive.
 * After an uncaught exception, the runtime emits `exit` with its usual exit code.
 *
 * @returns A function that ends the guarding. When the last pipeline is removed, so are the listeners.
 */
export function guardExit(guarded: GuardedPipeline): () => void {
  // Define it as not writable, so that another library that modifies globalThis cannot remove the guard.
  if (presentExitGuard() === undefined) {
    define(globalThis, exitGuardKey, { value: Object.freeze(createExitGuard()) })
  }
  return presentExitGuard()!.add(guarded)
}

function createExitGuard(): ExitGuard {
  // Use an array: there are few pipelines, and the last one is added and removed with each request of a server, which would
  // make a Set reallocate its table repeatedly.
  const pipelines: GuardedPipeline[] = []
  const listening = new Set<NodeJS.Signals>()
  const naturalExit = new NaturalExit(pipelines)
  let unlistenBeforeExit: (() => void) | undefined
  let exiting = false
  // An exit in the same turn as a signal shares the signal's time; otherwise a stalled reader would be waited for twice.
  let signaledAt: number | undefined

  function add(guarded: GuardedPipeline): () => void {
    if (pipelines.length === 0) listenForExit()
    pipelines.push(guarded)
    if (guarded.handleSignals) updateSignalListeners()
    if (exiting) ignoreErrors(() => guarded.afterExit())
    return () => {
      const index = pipelines.lastIndexOf(guarded)
      if (index < 0) return
      if (index === pipelines.length - 1) pipelines.pop()
      else pipelines.splice(index, 1)
      if (pipelines.length === 0) unlistenForExit()
      if (guarded.handleSignals) updateSignalListeners()
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
    exiting = true
    for (const guarded of pipelines.slice()) ignoreErrors(() => guarded.afterExit())
  }

  function drain(occasion: 'signal' | 'exit', start: number): void {
    const all = [...pipelines]
    // First let each pipeline write what does not block, so that a stalled destination does not use up the time of the others.
    if (all.length > 1) for (const guarded of all) ignoreErrors(() => guarded.drain(start, 'pass'))
    for (const guarded of all) ignoreErrors(() => guarded.drain(start + guarded.exitTimeoutMillis, occasion))
  }

  function updateSignalListeners(): void {
    const shouldListen = isMainThread && pipelines.some((guarded) => guarded.handleSignals)
    for (const signal of signals) {
      if (listening.has(signal) === shouldListen) continue
      if (shouldListen) listen(signal)
      else unlisten(signal)
    }
  }

  function listen(signal: NodeJS.Signals): void {
    listening.add(signal)
    // Listen first, so that records are written before listeners that end the process run.
    process.prependListener(signal, onSignal)
  }

  function unlisten(signal: NodeJS.Signals): void {
    listening.delete(signal)
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
