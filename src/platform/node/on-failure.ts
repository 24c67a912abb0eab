import { member } from '../../options/own-members.ts'
import { onBeforeExit } from './natural-exit.ts'

/**
 * Deno, like browsers, reports an uncaught exception only with these events. Node has neither of them. Listening has no other effect.
 */
const uncaughtEventNames = ['error', 'unhandledrejection'] as const
type ChangeListener = (type: string, listener: () => void, isCapturing: boolean) => void
const globalEventTarget = globalThis as Partial<Record<'addEventListener' | 'removeEventListener', ChangeListener>>

/** The functions to call after a failure of the process. */
const callbacks = new Set<() => void>()
let unlistenBeforeExit: (() => void) | undefined

/**
 * Calls a function after each failure of the process: an exception that no code catches, also if a listener of `uncaughtException` handles
 * it; a rejection that no code handles, unless there is a listener of `unhandledRejection`; and an exit with a code other than 0. The
 * function is called before the exit guard drains pipelines. It must not throw.
 *
 * @returns A function that stops this. With the last one, the listeners are removed.
 */
export function onFailure(callback: () => void): () => void {
  if (callbacks.size === 0) listen()
  callbacks.add(callback)
  return () => {
    if (callbacks.delete(callback) && callbacks.size === 0) unlisten()
  }
}

function listen(): void {
  // The monitor does not change what the exception does, unlike a listener of `uncaughtException`.
  process.on('uncaughtExceptionMonitor', callAll)
  // Before other listeners, so that exporters that need the event loop, and the exit guard, find the records in the queue.
  unlistenBeforeExit = onBeforeExit(onBeforeNaturalExit)
  process.prependListener('exit', onExit)
  changeListeners('addEventListener')
}

function unlisten(): void {
  process.removeListener('uncaughtExceptionMonitor', callAll)
  unlistenBeforeExit?.()
  process.removeListener('exit', onExit)
  changeListeners('removeEventListener')
}

function changeListeners(change: keyof typeof globalEventTarget): void {
  const changeListener = member(globalEventTarget, change)
  if (changeListener === undefined) return
  for (const type of uncaughtEventNames) changeListener.call(globalEventTarget, type, callAll, true)
}

function onBeforeNaturalExit(): void {
  onExit(Number(process.exitCode ?? 0))
}

function onExit(code: number): void {
  if (code !== 0) callAll()
}

function callAll(): void {
  for (const callback of callbacks) callback()
}
