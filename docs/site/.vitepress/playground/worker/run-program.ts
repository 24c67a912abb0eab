import { errorEntryOf } from '../program-error.ts'
import type { ProgramRequest, WorkerMessage } from '../messages.ts'
import { CapturedLoggers } from './captured-loggers.ts'
import { captureConsole } from './capture-console.ts'
import { CountedTimers, type TimerScope } from './counted-timers.ts'
import { linkProgram } from './link-program.ts'
import { linkedModules, moduleUrl } from './module-urls.ts'
import { OutputSink } from './output-sink.ts'
import { playgroundModules } from './playground-modules.ts'
import { removeGlobals } from './remove-globals.ts'

/** How long a program runs, in ms. */
const runMillis = 3_000
/** How long the end of a program is delayed for promises, in ms. */
const pauseMillis = 20

// The program can replace these.
const { setTimeout, performance } = globalThis

/** Runs a program, sends its output, and ends when the program has no timers left, or after 3 s. */
export async function runProgram(request: ProgramRequest, send: (message: WorkerMessage) => void): Promise<void> {
  const sink = new OutputSink(send)
  const loggers = new CapturedLoggers(sink, request)
  const timers = new CountedTimers()
  const addError = (thrown: unknown) => sink.addError(errorEntryOf(thrown))
  const isTimedOut = await run()
  await loggers.flush()
  sink.reportHidden()
  send({ kind: 'end', pendingTimers: timers.count, isTimedOut })

  async function run(): Promise<boolean> {
    const start = performance.now()
    try {
      const code = linkProgram(request.code, linkedModules(playgroundModules(loggers)))
      captureConsole(sink, console)
      timers.install(globalThis as unknown as TimerScope)
      reportUncaught(addError)
      removeGlobals(globalThis)
      const isEvaluated = await Promise.race([
        import(/* @vite-ignore */ moduleUrl(code)).then(() => true),
        pause(runMillis).then(() => false),
      ])
      if (!isEvaluated) return true
    } catch (error) {
      addError(error)
    }
    do await pause(pauseMillis)
    while (timers.count > 0 && performance.now() - start < runMillis)
    return timers.count > 0
  }
}

function pause(millis: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis))
}

function reportUncaught(addError: (thrown: unknown) => void): void {
  addEventListener('error', (event) => {
    event.preventDefault()
    addError(event.error ?? event.message)
  })
  addEventListener('unhandledrejection', (event) => {
    event.preventDefault()
    addError(event.reason)
  })
}
