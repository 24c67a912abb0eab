import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calibrate } from '../../run/calibration.ts'
import { runProcess } from '../../run/process.ts'
import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Bench, Job, Method, Run } from '../method.ts'
import { startViewer, type RunningViewer } from './running-viewer.ts'
import { timeView, type ViewTimes } from './time-view.ts'
import type { ViewerVariant } from './variant.ts'

/** The argument of the program that logs. */
export interface ExporterJob extends Job {
  readonly url: string
  readonly records: number
}

/** How often a view is opened. The first time, its code is not compiled yet. */
const viewRuns = 5

/** Runs a viewer and a program that sends records to it, and times what it receives and its views. */
export const viewer: Method = (bench) => {
  let filled: { readonly build: string; readonly viewer: RunningViewer } | undefined
  return async (job): Promise<Run> => {
    const variant = viewerVariantOf(job)
    if (variant.filter === undefined) return ingest(job, variant, bench)
    if (filled?.build !== job.build) {
      filled?.viewer.stop()
      filled = { build: job.build, viewer: await startViewer(job.build) }
      await send(job, variant, filled.viewer, bench)
    }
    return filter(variant.filter, filled.viewer)
  }
}

async function ingest(job: Job, variant: ViewerVariant, bench: Bench): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-viewer-'))
  const running = await startViewer(job.build, variant.hasDatabase === true ? ['--db', join(folder, 'a.db')] : [])
  calibrate()
  const calibration = calibrate()
  try {
    const millis = await send(job, variant, running, bench)
    const records = job.records ?? variant.records
    const { rows } = await timeView(running.url, '')
    return {
      figures: {
        received: records / (millis / 1e3),
        program: millis,
        residentMemory: running.peakMemory(),
        stored: rows,
      },
      calibration: Math.max(calibration, calibrate()),
      problems: [],
    }
  } finally {
    running.stop()
    rmSync(folder, { recursive: true })
  }
}

async function filter(parameters: string, { url }: RunningViewer): Promise<Run> {
  calibrate()
  const calibration = calibrate()
  const times: ViewTimes[] = []
  for (let run = 0; run < viewRuns; run++) times.push(await timeView(url, parameters))
  const median = (figure: 'firstRows' | 'allRows'): number =>
    times.map((each) => each[figure]).toSorted((a, b) => a - b)[viewRuns >> 1]!
  return {
    figures: { firstRows: median('firstRows'), allRows: median('allRows'), matches: times[0]!.rows },
    calibration: Math.max(calibration, calibrate()),
    problems: times[0]!.rows > 0 ? [] : ['no record matches'],
  }
}

/** Sends the records. Returns the time of the program, in ms. */
async function send(job: Job, { records }: ViewerVariant, { url }: RunningViewer, bench: Bench): Promise<number> {
  const exporterJob: ExporterJob = { ...job, url, records: job.records ?? records }
  const nowhere = openSync('/dev/null', 'w')
  return runProcess<number>(new URL('process.ts', import.meta.url), exporterJob, nowhere, bench)
}

function viewerVariantOf({ scenario, variant }: Job): ViewerVariant {
  const found: Scenario = scenarios[scenario]
  if (found.method !== 'viewer') throw new Error(`${scenario} does not use the viewer`)
  return found.variants[variant]!
}
