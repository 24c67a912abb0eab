import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { spread } from '../../report/statistics.ts'
import { calibrate } from '../../run/calibration.ts'
import { environment } from '../../run/process.ts'
import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Bench, Job, Method, Run } from '../method.ts'
import { installedOurs, installedRival, type Installed } from './installed.ts'
import { isOurs, packageOf, type Package } from './packages.ts'
import { programOf, type LoadReport } from './program.ts'
import type { StartVariant } from './variant.ts'

/** Loads a package in programs that do nothing else, each in a new Node process, and measures the size of its installation. */
export const start: Method = (bench) => {
  const sizes = new Map<string, Installed>()

  return async (job): Promise<Run> => {
    const variant = startOf(job)
    const target = packageOf(job)
    if (!sizes.has(job.subject)) sizes.set(job.subject, isOurs(job) ? installedOurs(target) : installedRival(target))
    // The first program fills the file cache of the system and warms up this process.
    await load(target, variant, bench)
    calibrate()
    const calibration = calibrate()
    const loaded: LoadReport[] = []
    while (loaded.length < variant.starts) loaded.push(await load(target, variant, bench))
    const { bytes, packages } = sizes.get(job.subject)!
    return {
      figures: { load: spread(loaded.map(({ took }) => took)).median, size: bytes / 1e3, packages },
      calibration: Math.max(calibration, calibrate()),
      problems: [...new Set(loaded.flatMap((one) => problemsOf(one, target)))],
    }
  }
}

function startOf({ scenario, variant }: Job): StartVariant {
  const found: Scenario = scenarios[scenario]
  if (found.method !== 'start') throw new Error(`${scenario} does not measure a start`)
  return found.variants[variant]!
}

async function load(target: Package, { by }: StartVariant, { signal }: Bench): Promise<LoadReport> {
  // Disable the compile cache of earlier programs.
  const { NODE_COMPILE_CACHE: _, ...env } = environment()
  const args = [`--input-type=${by === 'import' ? 'module' : 'commonjs'}`, '--eval', programOf(target, by)]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: target.root,
    env,
    signal,
    killSignal: 'SIGKILL',
  })
  return JSON.parse(stdout) as LoadReport
}

/** Returns errors if another copy or an unexpected package was loaded. */
function problemsOf({ from, type }: LoadReport, { root, name, exported }: Package): string[] {
  const folder = realpathSync(join(root, 'node_modules', name))
  return [
    ...(from.startsWith(folder) ? [] : [`${from} was loaded instead of ${folder}`]),
    ...(type === 'function' ? [] : [`the export ${exported} of ${name} is ${type}, not a function`]),
  ]
}
