import { join } from 'node:path'
import type { Job } from '../method.ts'
import type { ReadTask } from './variant.ts'

/** How a program is started. */
export interface ReadCommand {
  readonly program: string
  readonly args: readonly string[]
  /** Whether the file is the standard input. */
  readonly readsInput?: boolean
}

/** What the arguments of a command depend on. */
export interface ReadTarget {
  readonly files: readonly string[]
  readonly traceId: string
}

const prettifier = join(import.meta.dirname, '../../node_modules/pino-pretty/bin.js')
const prettifierArgs = [
  '--messageKey',
  'message',
  '--timestampKey',
  'timestamp',
  '--levelKey',
  'level',
  '--no-colorize',
]

/**
 * Returns the command with which a subject does a task.
 *
 * @throws Error if the subject cannot do it.
 */
export function readCommand(job: Job, task: ReadTask, target: ReadTarget): ReadCommand {
  const command = commandsOf(job, target)[task]
  if (command === undefined) throw new Error(`${job.subject} cannot do ${task}`)
  return command
}

function commandsOf(job: Job, { files, traceId }: ReadTarget): Partial<Record<ReadTask, ReadCommand>> {
  switch (job.subject) {
    case 'sluice-reader':
      return sluiceCommands(join(job.build, '../cli.cjs'), files, traceId)
    case 'pino-pretty-reader':
      return {
        pretty: { program: process.execPath, args: [prettifier, ...prettifierArgs], readsInput: true },
      }
    case 'jq':
      return {
        pretty: { program: 'jq', args: ['.', ...files] },
        level: { program: 'jq', args: ['-c', 'select(.level == "error")', ...files] },
        trace: { program: 'jq', args: ['-c', `select(.trace_id == "${traceId}")`, ...files] },
      }
    case 'lnav':
      return { pretty: { program: 'lnav', args: ['-n', ...files] } }
    case 'grep':
      return {
        pretty: { program: 'grep', args: ['-h', 'GET', ...files] },
        level: { program: 'grep', args: ['-h', '"level":"error"', ...files] },
        trace: { program: 'grep', args: ['-h', traceId, ...files] },
      }
    case 'sort':
      return { sort: { program: 'sort', args: ['-s', '-t"', '-k4,4', ...files] } }
    case 'tail':
      return { follow: { program: 'tail', args: ['-n0', '-F', ...files] } }
    default:
      return {}
  }
}

function sluiceCommands(cli: string, files: readonly string[], traceId: string): Record<ReadTask, ReadCommand> {
  const command = (...args: readonly string[]): ReadCommand => ({ program: process.execPath, args: [cli, ...args] })
  return {
    pretty: command(...files),
    level: command('-o', 'raw', '-l', 'error', ...files),
    trace: command('-o', 'raw', '--trace', traceId, ...files),
    sort: command('-o', 'raw', '-s', ...files),
    follow: command('-o', 'raw', '-n0', '-f', ...files),
  }
}
