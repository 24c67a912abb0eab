// Logs a burst and exits. Argument: ExitProgramOptions as JSON.
import { writeSync } from 'node:fs'
import { createLogger } from '../../../../src/entries/index.ts'
import { fdExporter, fileExporter } from '../../../../src/entries/exporters.ts'
import type { ExitProgramOptions } from '../exits.ts'

const program = JSON.parse(process.argv[2]!) as ExitProgramOptions
const { cause, file, delayMillis, signalExit, records, perTurn = records, exitTimeoutMillis } = program

if (signalExit === 'before') await loadSignalExit()
const exporter = file === undefined ? fdExporter() : fileExporter({ path: file })
const log = createLogger({ exporter, exitTimeoutMillis })
if (signalExit === 'after') await loadSignalExit()

// Without a delay the burst and the exit are in the first turn after the exporter was created.
if (delayMillis === 0) burstAndExit(0)
else setTimeout(burstAndExit, delayMillis, 0)

function burstAndExit(from: number): void {
  const to = Math.min(from + perTurn, records)
  for (let seq = from; seq < to; seq++) log.info('burst', { seq, pad: 'x'.repeat(160) })
  if (to < records) setImmediate(burstAndExit, to)
  else exit()
}

function exit(): void {
  writeSync(2, `dying ${Date.now()}\n`)
  switch (cause) {
    case 'end':
      return
    case 'exit':
      return process.exit(3)
    case 'throw':
      throw new Error('mine')
    case 'rejection':
      return void Promise.reject(new Error('mine'))
    default:
      setInterval(() => {}, 1_000)
      process.kill(process.pid, cause)
  }
}

async function loadSignalExit(): Promise<void> {
  const { onExit } = await import('signal-exit')
  onExit(() => {})
}
