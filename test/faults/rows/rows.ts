import { ends } from './ends.ts'
import { fullDisks } from './full-disks.ts'
import { lostFiles } from './lost-files.ts'
import { overlaps } from './overlaps.ts'
import { readers } from './readers.ts'
import { refusedWrites } from './refused-writes.ts'
import type { FaultRow } from './row.ts'
import { slowDisks } from './slow-disks.ts'
import { standardOutputs } from './standard-outputs.ts'
import { times } from './times.ts'

/** The rows that need one process. */
export const rows: readonly FaultRow[] = [
  ...refusedWrites,
  ...fullDisks,
  ...lostFiles,
  ...slowDisks,
  ...readers,
  ...standardOutputs,
  ...ends,
  ...times,
  ...overlaps,
]
