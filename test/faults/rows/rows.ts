import { fullDisks } from './full-disks.ts'
import { refusedWrites } from './refused-writes.ts'
import type { Row } from './row.ts'

/** The rows that one logger, one process and its sinks are enough for. */
export const rows: readonly Row[] = [...refusedWrites, ...fullDisks]
