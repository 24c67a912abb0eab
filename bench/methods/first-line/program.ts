import type { SubjectName } from '../../subjects/index.ts'
import { packageOf } from '../start/packages.ts'
import type { Job } from '../method.ts'
import type { FirstLineVariant } from './variant.ts'

export const message = 'the first line'

/** The log statement of each subject, with its exports. */
const programs: Readonly<Partial<Record<SubjectName, string>>> = {
  'sluice-default': `loaded.createLogger().info(message)`,
  baseline: `loaded.createLogger().info(message)`,
  'pino-sync': `(loaded.default ?? loaded)().info(message)`,
  winston: `loaded.createLogger({ transports: [new loaded.transports.Console()] }).info(message)`,
  bunyan: `loaded.createLogger({ name: 'bench' }).info(message)`,
  console: `console.log(JSON.stringify({ time: Date.now(), level: 'info', message }))`,
}

/** Returns the program of a subject and the folder that contains its package. */
export function firstLineProgram(
  job: Job,
  by: FirstLineVariant['by'],
): { readonly text: string; readonly cwd: string } {
  const statement = programs[job.subject]
  if (statement === undefined) throw new Error(`the subject ${job.subject} has no program that logs one line`)
  const prefix = `const message = ${JSON.stringify(message)};\n`
  if (job.subject === 'console') return { text: prefix + statement, cwd: job.build }
  const { name, root } = packageOf(job)
  const load = by === 'import' ? `import * as loaded from '${name}'` : `const loaded = require('${name}')`
  return { text: `${load}\n${prefix}${statement}`, cwd: root }
}
