import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Circumstances } from './circumstances.ts'
import type { Group } from './group.ts'
import { printResults } from './results.ts'

/** Keeps the figures of a long run while it runs. Earlier ones stay in `file` until the new ones are whole. */
export function createSaver(file: string, circumstances: Circumstances) {
  const start = performance.now()
  const partial = `${file}.partial`

  function save(groups: readonly Group[]): void {
    const minutes = Number(((performance.now() - start) / 60_000).toFixed(1))
    mkdirSync(dirname(file), { recursive: true })
    // Under another name first, so that whoever ends us now leaves a whole file behind.
    writeFileSync(`${partial}.new`, printResults({ ...circumstances, minutes, groups }))
    renameSync(`${partial}.new`, partial)
  }

  return { partial, save, finish: () => renameSync(partial, file) }
}
