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
import { programOf, type Started } from './program.ts'
import type { StartVariant } from './variant.ts'

/** Loads a package in programs that do nothing else, each of them a fresh Node, and weighs its installation. */
export const start: Method = (bench) => {
  const sizes = new Map<string, Installed>()

  return async (job): Promise<Run> => {
    const variant = startOf(job)
    const asked = packageOf(job)
    if (!sizes.has(job.subject)) sizes.set(job.subject, isOurs(job) ? installedOurs(asked) : installedRival(asked))
    // The first one brings the files into the system's memory, and this process up to speed.
    await load(asked, variant, bench)
    calibrate()
    const calibration = calibrate()
    const loaded: Started[] = []
    while (loaded.length < variant.starts) loaded.push(await load(asked, variant, bench))
    const { bytes, packages } = sizes.get(job.subject)!
    return {
      figures: { load: spread(loaded.map(({ took }) => took)).median, size: bytes / 1e3, packages },
      calibration: Math.max(calibration, calibrate()),
      problems: [...new Set(loaded.flatMap((one) => problemsOf(one, asked)))],
    }
  }
}

function startOf({ scenario, variant }: Job): StartVariant {
  const asked: Scenario = scenarios[scenario]
  if (asked.method !== 'start') throw new Error(`${scenario} is no start`)
  return asked.variants[variant]!
}

async function load(asked: Package, { by }: StartVariant, { signal }: Bench): Promise<Started> {
  // What Node compiled for an earlier program must not serve this one.
  const { NODE_COMPILE_CACHE: _, ...env } = environment()
  const args = [`--input-type=${by === 'import' ? 'module' : 'commonjs'}`, '--eval', programOf(asked, by)]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: asked.root,
    env,
    signal,
    killSignal: 'SIGKILL',
  })
  return JSON.parse(stdout) as Started
}

/** Another copy than the one asked for, or a package that is not what it should be. */
function problemsOf({ from, type }: Started, { root, name, exported }: Package): string[] {
  const folder = realpathSync(join(root, 'node_modules', name))
  return [
    ...(from.startsWith(folder) ? [] : [`${from} was loaded, not ${folder}`]),
    ...(type === 'function' ? [] : [`${name} exports no function ${exported}, but ${type}`]),
  ]
}
