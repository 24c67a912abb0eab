import { openSync } from 'node:fs'
import { runProcess } from '../../run/process.ts'
import type { Method, Run } from '../method.ts'

/** Makes requests of records in a process of its own, which judges them when the clock has stopped. */
export const encode: Method = (bench) => (job) =>
  runProcess<Run>(new URL('process.ts', import.meta.url), job, openSync('/dev/null', 'w'), bench)
