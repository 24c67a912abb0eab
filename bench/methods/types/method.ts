import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { spread } from '../../report/statistics.ts'
import { calibrate } from '../../run/calibration.ts'
import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Bench, Job, Method, Run } from '../method.ts'
import { packageOf } from '../start/packages.ts'
import { parseDiagnostics, problemsOfOutput } from './diagnostics.ts'
import { typesProgram } from './program.ts'
import type { TypesVariant } from './variant.ts'

const bench = join(import.meta.dirname, '../..')
const file = 'program.mts'

/** Compiles a program with many log calls, each time in a new process. */
export const types: Method =
  (environment) =>
  async (job): Promise<Run> => {
    const variant = typesOf(job)
    const folder = createProject(job, variant, environment)
    try {
      // The first compilation fills the file cache of the system.
      await compile(folder, variant, environment)
      calibrate()
      const calibration = calibrate()
      const outputs: string[] = []
      while (outputs.length < variant.compilations) outputs.push(await compile(folder, variant, environment))
      const all = outputs.map(parseDiagnostics)
      const median = (name: keyof (typeof all)[number]): number => spread(all.map((one) => one[name])).median
      return {
        figures: {
          typeCheck: median('checkTime'),
          compilation: median('totalTime'),
          instantiations: median('instantiations'),
          types: median('types'),
          compilerMemory: median('memory'),
        },
        calibration: Math.max(calibration, calibrate()),
        problems: [...new Set(outputs.flatMap(problemsOfOutput))],
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

function typesOf({ scenario, variant }: Job): TypesVariant {
  const found: Scenario = scenarios[scenario]
  if (found.method !== 'types') throw new Error(`${scenario} does not check types`)
  return found.variants[variant]!
}

/** Writes the program to a folder whose `node_modules` has the package of the subject. */
function createProject(job: Job, { calls }: TypesVariant, { folder }: Bench): string {
  const { name, root } = packageOf(job)
  const project = join(folder, 'types')
  const installed = join(project, 'node_modules', name)
  mkdirSync(dirname(installed), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), installed, 'junction')
  writeFileSync(join(project, file), typesProgram(job.subject, job.records ?? calls))
  return project
}

async function compile(cwd: string, { compiler }: TypesVariant, { signal }: Bench): Promise<string> {
  const own = join(bench, 'node_modules', compiler)
  const tsc = join(existsSync(own) ? own : join(bench, '../node_modules', compiler), 'bin/tsc')
  const typeRoots = join(bench, '../node_modules/@types')
  // One thread, so that the counts do not depend on the machine.
  const threads = compiler === 'typescript' ? ['--singleThreaded'] : []
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024']
  const types = ['--types', 'node', '--typeRoots', typeRoots, '--extendedDiagnostics']
  return new Promise((resolve, reject) => {
    const args = [tsc, ...options, ...types, ...threads, file]
    execFile(process.execPath, args, { cwd, signal, killSignal: 'SIGKILL' }, (error, stdout) => {
      // The exit code of a program with errors, whose output has them.
      if (error !== null && stdout === '') reject(error)
      else resolve(stdout)
    })
  })
}
