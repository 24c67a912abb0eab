import { isMainThread } from './main-thread.ts'
import { exitGuardPlace, presentExitGuard, type ExitGuard } from '../../lifecycle/exit-guard-place.ts'
import type { Guarded } from '../../lifecycle/platform.ts'
import { endOfTurn, monotonic } from './end-of-turn.ts'
import { define } from '../../options/define-member.ts'
import { member } from '../../options/own-members.ts'
import { NaturalExit, onBeforeExit } from './natural-exit.ts'

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/** Of an exception that ends it Deno says nothing but these, as browsers do; who hears of them changes nothing. Node has neither. */
const uncaught = ['error', 'unhandledrejection'] as const
const events = globalThis as Partial<Record<'addEventListener' | 'removeEventListener', ChangeListener>>
type ChangeListener = (type: string, listener: () => void) => void

/**
 * Has a pipeline drained when this thread's process object says `exit` and, in the main thread, on SIGTERM, SIGINT and
 * SIGHUP. All pipelines are drained in the time that starts at the event; each has its own limit. Before a natural exit,
 * pipelines that need the event loop get the same time to export (`NaturalExit`). There is never an
 * `uncaughtException` listener: the runtime's own exit runs the `exit` event with its own code.
 *
 * @returns a function that ends the guarding; with the last one the listeners are removed.
 */
export function guardExit(guarded: Guarded): () => void {
  // Not writable: another library that walks globalThis cannot take the guard away.
  if (presentExitGuard() === undefined) {
    define(globalThis, exitGuardPlace, { value: Object.freeze(createExitGuard()) })
  }
  return presentExitGuard()!.add(guarded)
}

function createExitGuard(): ExitGuard {
  // Few, and the last comes and goes with each request of a server: a Set makes itself a new table every few times.
  const pipelines: Guarded[] = []
  const listening = new Set<NodeJS.Signals>()
  const naturalExit = new NaturalExit(pipelines)
  let unlistenBeforeExit: (() => void) | undefined
  let exiting = false
  // An exit in the turn of a signal shares the signal's time, else a stalled reader would be waited for twice.
  let signalledAt: number | undefined

  function add(guarded: Guarded): () => void {
    if (pipelines.length === 0) listenForEnd()
    pipelines.push(guarded)
    if (guarded.handleSignals) watchSignals()
    if (exiting) quietly(() => guarded.afterExit())
    return () => {
      const place = pipelines.lastIndexOf(guarded)
      if (place < 0) return
      if (place === pipelines.length - 1) pipelines.pop()
      else pipelines.splice(place, 1)
      if (pipelines.length === 0) unlistenForEnd()
      if (guarded.handleSignals) watchSignals()
    }
  }

  function listenForEnd(): void {
    process.on('exit', onExit)
    unlistenBeforeExit = onBeforeExit(naturalExit.finish)
    changeListeners('addEventListener')
  }

  function unlistenForEnd(): void {
    process.removeListener('exit', onExit)
    unlistenBeforeExit?.()
    changeListeners('removeEventListener')
  }

  function changeListeners(change: keyof typeof events): void {
    const listeners = member(events, change)
    if (listeners !== undefined) for (const type of uncaught) listeners.call(events, type, onUncaught)
  }

  /** Somebody else may yet keep the process from ending. */
  function onUncaught(): void {
    drain('signal', monotonic())
  }

  function onExit(): void {
    end(signalledAt ?? monotonic())
  }

  /** What is guarded may say a last word to what was drained before it: from then on nothing waits. */
  function end(start: number): void {
    drain('exit', start)
    exiting = true
    for (const guarded of pipelines.slice()) quietly(() => guarded.afterExit())
  }

  function drain(occasion: 'signal' | 'exit', start: number): void {
    const all = [...pipelines]
    if (all.length > 1) for (const guarded of all) quietly(() => guarded.drain(start, 'pass'))
    for (const guarded of all) quietly(() => guarded.drain(start + guarded.exitTimeoutMillis, occasion))
  }

  function watchSignals(): void {
    const wanted = isMainThread && pipelines.some((guarded) => guarded.handleSignals)
    for (const signal of signals) {
      if (listening.has(signal) === wanted) continue
      if (wanted) listen(signal)
      else unlisten(signal)
    }
  }

  function listen(signal: NodeJS.Signals): void {
    listening.add(signal)
    // In front, so that listeners which end the process find the records written.
    process.prependListener(signal, onSignal)
  }

  function unlisten(signal: NodeJS.Signals): void {
    listening.delete(signal)
    process.removeListener(signal, onSignal)
  }

  /**
   * Our listener stands aside while the others run, because libraries such as signal-exit end the process only where
   * they find no listener but their own, and because with nobody left the default action must come back.
   */
  function onSignal(signal: NodeJS.Signals): void {
    signalledAt = monotonic()
    unlisten(signal)
    const endsHere = process.listenerCount(signal) === 0
    // The kernel does not let PID 1 die by a signal of its own making: there, nothing is given up.
    if (endsHere && process.pid !== 1) end(signalledAt)
    else drain('signal', signalledAt)
    endOfTurn(() => {
      signalledAt = undefined
      watchSignals()
    })
    if (endsHere) quietly(() => process.kill(process.pid, signal))
  }

  return { add, runAs: naturalExit.runAs }
}

function quietly(action: () => void): void {
  try {
    action()
  } catch {
    // The process is ending: an error here would replace its exit code.
  }
}
