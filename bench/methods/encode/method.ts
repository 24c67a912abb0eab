import { openSync } from 'node:fs'
import { runProcess } from '../../run/process.ts'
import type { Method, Run } from '../method.ts'

/** Encodes records to requests in a separate process, which checks them after the measurement. */
export const encode: Method = (bench) => (job) =>
  runProcess<Run>(new URL('process.ts', import.meta.url), job, openSync('/dev/null', 'w'), bench)
