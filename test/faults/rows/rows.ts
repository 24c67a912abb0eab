import { ends } from './ends.ts'
import { fullDisks } from './full-disks.ts'
import { lostPlaces } from './lost-places.ts'
import { overlaps } from './overlaps.ts'
import { readers } from './readers.ts'
import { refusedWrites } from './refused-writes.ts'
import type { Row } from './row.ts'
import { slowDisks } from './slow-disks.ts'
import { standardOutputs } from './standard-outputs.ts'
import { times } from './times.ts'

/** The rows that one logger, one process and its sinks are enough for. */
export const rows: readonly Row[] = [
  ...refusedWrites,
  ...fullDisks,
  ...lostPlaces,
  ...slowDisks,
  ...readers,
  ...standardOutputs,
  ...ends,
  ...times,
  ...overlaps,
]
