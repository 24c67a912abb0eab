import { load, logOf, read } from './sluice.ts'
import type { Log, LogSetup, Subject } from './subject.ts'

/** What `childProcessLogger` is made of: that one has no flush but its end. */
export const sluiceProcess: Subject = {
  title: 'sluice, processExporter({ onFull: "block", maxQueueBytes: 64 MiB }) (its CPU and memory not counted)',
  whenFull: 'waits for the writer process beyond 64 MiB',
  open,
  read,
}

async function open({ bound, boundAgain }: LogSetup, build: string): Promise<Log> {
  const { createLogger } = await load<typeof import('../../src/entries/index.ts')>(build, 'index')
  const { processExporter } = await load<typeof import('../../src/entries/exporters.ts')>(build, 'exporters')
  const exporter = processExporter({ format: 'json', onFull: 'block', maxQueueBytes: 64 * 1024 * 1024 })
  return logOf(createLogger({ level: 'info', attributes: { ...bound, ...boundAgain }, exporter }))
}
