/** The measured process: one subject, one scenario, one destination, which is its standard output. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { scenarios } from '../scenarios/index.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { subjects } from '../subjects/index.ts'
import type { Log } from '../subjects/subject.ts'
import { calibrate } from './calibration.ts'
import type { Job, Measured } from './job.ts'
import { lap, type Lap } from './pace.ts'
import { processIo } from './process-io.ts'
import { profiled } from './profile.ts'

const warmUpLaps = 5

const job = JSON.parse(process.argv[2]!) as Job
const scenario: Scenario = scenarios[job.scenario]
const subject = await subjects[job.subject]()
const log = await subject.open(scenario.setup, job.build)
await warmUp(log)
process.send!(await measure(log))

/** In laps, so that what happens at the end of a turn and of a flush is compiled as well. */
async function warmUp(log: Log): Promise<void> {
  const part = scenario.warmUp / warmUpLaps
  for (let i = 0; i < warmUpLaps; i++) await lap(scenario, log, i * part, (i + 1) * part)
  calibrate()
}

async function measure(log: Log): Promise<Measured> {
  const { records } = job
  collectGarbage()
  const calibration = calibrate()
  const memory = process.memoryUsage.rss()
  const io = processIo()
  const cpu = process.cpuUsage()
  const { result, functions } = await timed(() => lap(scenario, log, scenario.warmUp, scenario.warmUp + records))
  const { user, system } = process.cpuUsage(cpu)
  const ioAfter = processIo()
  return {
    loop: (result.loop * 1e6) / records,
    drain: (result.drain * 1e6) / records,
    cpu: ((user + system) * 1e3) / records,
    bytes: io && ioAfter && ioAfter.bytes - io.bytes,
    writes: io && ioAfter && ioAfter.calls - io.calls,
    memory: Math.max(0, process.resourceUsage().maxRSS * 1_024 - memory) / 1e6,
    calibration: Math.max(calibration, calibrate()),
    ledger: log.ledger?.(),
    profile: functions,
  }
}

async function timed(action: () => Promise<Lap>) {
  if (job.profile === undefined) return { result: await action(), functions: undefined }
  return profiled(job.profile, job.records, action)
}

/** The garbage of the warm-up is not the timed part's. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}
