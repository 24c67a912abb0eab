import { join } from 'node:path'
import type { SubjectName } from '../../subjects/index.ts'
import type { Job } from '../method.ts'

/** A package that a program loads. */
export interface Package {
  readonly name: string
  /** The name of a function that it must export, as a check. */
  readonly exported: string
  /** The folder with the `node_modules` that contains it. */
  readonly root: string
}

const rivals: Readonly<Partial<Record<SubjectName, Omit<Package, 'root'>>>> = {
  'pino-sync': { name: 'pino', exported: 'pino' },
  winston: { name: 'winston', exported: 'createLogger' },
  bunyan: { name: 'bunyan', exported: 'createLogger' },
  bole: { name: 'bole', exported: 'default' },
  logtape: { name: '@logtape/logtape', exported: 'getLogger' },
  tslog: { name: 'tslog', exported: 'Logger' },
  roarr: { name: 'roarr', exported: 'Roarr' },
  'sdk-logs': { name: '@opentelemetry/sdk-logs', exported: 'LoggerProvider' },
}

const bench = join(import.meta.dirname, '../..')

const ours: readonly SubjectName[] = ['sluice', 'sluice-default', 'baseline']

export const isOurs = ({ subject }: Pick<Job, 'subject'>): boolean => ours.includes(subject)

/** @throws Error if the subject is not a package. */
export function packageOf(job: Job): Package {
  if (isOurs(job)) return { name: 'sluice', exported: 'createLogger', root: join(job.build, '../../../..') }
  const rival = rivals[job.subject]
  if (rival === undefined) throw new Error(`the subject ${job.subject} is not a package`)
  return { ...rival, root: bench }
}
