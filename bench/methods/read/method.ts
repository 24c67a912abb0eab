import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { calibrate } from '../../run/calibration.ts'
import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Bench, Job, Method, Run } from '../method.ts'
import { readCommand } from './commands.ts'
import { followCommand } from './follow-command.ts'
import { writeLog, type LogFile } from './log-lines.ts'
import { problemsOfOutput } from './check.ts'
import { firstOutput, runCommand } from './run-command.ts'
import type { ReadVariant } from './variant.ts'

/** The files of a variant. */
export interface LogFiles {
  readonly paths: readonly string[]
  readonly logs: readonly LogFile[]
  /** The size before compression. */
  readonly bytes: number
}

/** Runs programs that read log files, and checks what they write. */
export const read: Method = (bench) => {
  let created: { readonly name: string; readonly files: LogFiles } | undefined
  return async (job): Promise<Run> => {
    const variant = readVariantOf(job)
    if (variant.task === 'follow') return follow(job, bench)
    const name = `${job.scenario} ${job.variant}`
    if (created?.name !== name) {
      for (const path of created?.files.paths ?? []) rmSync(path)
      created = { name, files: createFiles(variant, bench.folder) }
    }
    return readAll(job, variant, created.files, bench)
  }
}

async function readAll(job: Job, { task }: ReadVariant, files: LogFiles, bench: Bench): Promise<Run> {
  const output = join(bench.folder, 'read-output')
  const [input] = files.paths
  const command = readCommand(job, task, { files: files.paths, traceId: files.logs[0]!.traceId })
  calibrate()
  const calibration = calibrate()
  const first = await firstOutput(command, input!)
  const { wall, cpu, peak, code } = await runCommand(command, input!, output, bench)
  const problems = code === 0 ? problemsOfOutput(task, files.logs, output) : [`it exited with ${code}`]
  rmSync(output)
  return {
    figures: {
      readRate: files.bytes / 1e3 / wall,
      program: wall,
      ...(cpu !== undefined && { programCpu: cpu }),
      firstOutput: first,
      residentMemory: peak,
    },
    calibration: Math.max(calibration, calibrate()),
    problems,
  }
}

async function follow(job: Job, bench: Bench): Promise<Run> {
  const file = join(bench.folder, 'followed.log')
  calibrate()
  const calibration = calibrate()
  const { p50, p95, idleCpu, missing } = await followCommand(
    readCommand(job, 'follow', { files: [file], traceId: '' }),
    file,
  )
  rmSync(file)
  return {
    figures: { follow50: p50, follow95: p95, idleCpu },
    calibration: Math.max(calibration, calibrate()),
    problems: missing === 0 ? [] : [`${missing} lines are missing`],
  }
}

function readVariantOf({ scenario, variant }: Job): ReadVariant {
  const found: Scenario = scenarios[scenario]
  if (found.method !== 'read') throw new Error(`${scenario} does not read files`)
  return found.variants[variant]!
}

function createFiles({ bytes, files, compression }: ReadVariant, folder: string): LogFiles {
  const logs = Array.from({ length: files }, (_, index) => {
    const path = join(folder, `read-${index}.log`)
    const log = writeLog(path, bytes / files, index + 1)
    if (compression === undefined) return log
    const plain = readFileSync(path)
    writeFileSync(path, compression === 'gzip' ? gzipSync(plain) : zstdCompressSync(plain))
    return log
  })
  return { paths: logs.map(({ path }) => path), logs, bytes: logs.reduce((sum, log) => sum + log.bytes, 0) }
}
