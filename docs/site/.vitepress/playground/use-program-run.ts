import { onBeforeUnmount, shallowRef, type ShallowRef } from 'vue'
import type { ProgramRequest } from './messages.ts'
import { emptyOutput, OutputCollector, type RunOutput } from './run-output.ts'
import { startWorker } from './start-worker.ts'

/** Runs programs one after the other, and has the output of the last one. */
export function useProgramRun(): { readonly output: ShallowRef<RunOutput>; run(request: ProgramRequest): void } {
  const output = shallowRef(emptyOutput)
  let stop: (() => void) | undefined
  let runNumber = 0

  async function run(request: ProgramRequest): Promise<void> {
    const number = ++runNumber
    stop?.()
    // The last output is shown until there is a new one.
    output.value = { ...output.value, isRunning: true }
    const { default: workerCode } = await import('virtual:playground-worker')
    if (number !== runNumber) return
    const collector = new OutputCollector()
    let isScheduled = false
    // Hundreds of messages can arrive between two frames.
    const show = () => {
      if (isScheduled) return
      isScheduled = true
      requestAnimationFrame(() => {
        isScheduled = false
        if (number === runNumber) output.value = collector.output()
      })
    }
    stop = startWorker(workerCode, request, {
      onMessage(message) {
        collector.add(message)
        show()
      },
      onStopped(reason) {
        collector.stop(reason)
        show()
      },
    })
  }

  onBeforeUnmount(() => {
    runNumber++
    stop?.()
  })
  return { output, run: (request) => void run(request) }
}
