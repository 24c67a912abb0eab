import { load, logOf, read } from './sluice.ts'
import type { Log, LogSetup, Subject } from './subject.ts'

/** The exporter of `childProcessLogger`, which itself can only be flushed by shutting it down. */
export const sluiceProcess: Subject = {
  title: 'sluice, processExporter({ onFull: "block", maxQueueBytes: 64 MiB }) (its CPU and memory are not counted)',
  whenFull: 'waits for the writer process over 64 MiB',
  open,
  read,
}

async function open({ bound, nestedBound }: LogSetup, build: string): Promise<Log> {
  const { createLogger } = await load<typeof import('../../src/entries/index.ts')>(build, 'index')
  const { processExporter } = await load<typeof import('../../src/entries/exporters.ts')>(build, 'exporters')
  const exporter = processExporter({ format: 'json', onFull: 'block', maxQueueBytes: 64 * 1024 * 1024 })
  return logOf(createLogger({ level: 'info', attributes: { ...bound, ...nestedBound }, exporter }))
}
