import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Circumstances } from './circumstances.ts'
import type { Group } from './group.ts'
import { printResults } from './results.ts'

/** Saves the figures of a long run while it runs. `file` keeps the earlier figures until all new ones are measured. */
export function createSaver(file: string, circumstances: Circumstances) {
  const start = performance.now()
  const partial = `${file}.partial`

  function save(groups: readonly Group[]): void {
    const minutes = Number(((performance.now() - start) / 60_000).toFixed(1))
    mkdirSync(dirname(file), { recursive: true })
    // Written under another name first, so that the file is complete even if the process is killed.
    writeFileSync(`${partial}.new`, printResults({ ...circumstances, minutes, groups }))
    renameSync(`${partial}.new`, partial)
  }

  return { partial, save, finish: () => renameSync(partial, file) }
}
