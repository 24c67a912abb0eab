import type { FaultHarness } from '../rows/row.ts'
import type { Command, Reply } from './commands.ts'
import { firstErrorOf, type ExitStatus, type FaultChild, type FaultChildPlan } from './fault-child.ts'
import { failedWrites } from './injection.ts'
import { checkOutcome, tooLate, type AllowedEffects } from './check-outcome.ts'
import { readSink } from './oracle.ts'
import type { Output } from './outputs.ts'

/** A test of one process and one fault. */
export interface Scenario extends AllowedEffects {
  /** Closed when the scenario ends. */
  readonly output: Output
  readonly start?: Omit<FaultChildPlan, 'subject' | 'run' | 'sink' | 'stdout'>
  /** Uses the process and injects the fault. Returns errors that the sink and the statistics do not show. */
  readonly steps: (loggingProcess: LoggingProcess) => Promise<readonly string[] | void>
  /** Returns further errors in the contents of the sink. */
  readonly check?: (text: string, child: FaultChild) => readonly string[]
  /** How the process ends. `end` (default): the event loop becomes empty. `steps`: the steps end it. */
  readonly end?: 'end' | 'exit' | 'steps'
  /** The expected exit status. Default: code 0, or 3 for `exit`. */
  readonly exitStatus?: ExitStatus
  /** The longest allowed exit, in ms. Default 3,000. */
  readonly endMillis?: number
  /** The longest allowed turn of the event loop while the process logs, in ms. Default: any. */
  readonly turnMillis?: number
}

type Logged = Extract<Reply, { type: 'logged' }>

/** The process of a scenario. */
export interface LoggingProcess {
  readonly child: FaultChild
  readonly output: Output
  /** Logs records and counts them. */
  log(count: number, how?: Omit<Command & { do: 'log' }, 'do' | 'count'>): Promise<Logged>
  /** Flushes with a timeout of 10 s. Returns whether all records were flushed. */
  flush(): Promise<boolean>
  /** Reopens the file of the logger. @throws if the logger does not support it. */
  reopen(): Promise<void>
  /** Adds to the count of logged records. */
  addLogged(count: number): void
}

/** Runs a scenario with the logger under test. Returns everything that is wrong, as sentences. */
export async function runScenario(harness: FaultHarness, scenario: Scenario): Promise<string[]> {
  const { output, start, steps, end = 'end', endMillis = 3_000, turnMillis = Infinity } = scenario
  try {
    const child = await harness.start({ ...start, ...output.plan })
    let logged = 0
    let longestTurn = 0
    let threw = 0
    let reopenThrew = false
    const loggingProcess: LoggingProcess = {
      child,
      output,
      async log(count, how) {
        const reply = await child.request<'logged'>({ do: 'log', count, ...how })
        logged += count
        longestTurn = Math.max(longestTurn, reply.longestTurn)
        threw += reply.threw
        return reply
      },
      flush: async () => (await child.request<'flushed'>({ do: 'flush', timeoutMillis: 10_000 })).ok,
      async reopen() {
        const { isSupported, threw: failed } = await child.request<'reopened'>({ do: 'reopen' })
        if (!isSupported) throw new Error('cannot reopen its file')
        if (failed) reopenThrew = true
      },
      addLogged: (count) => void (logged += count),
    }
    const wrong = [...((await steps(loggingProcess)) ?? [])]
    const since = performance.now()
    if (end !== 'steps') child.send({ do: end, code: 3 })
    const ending = await within(endMillis * 2 + 5_000, child.ended)
    const took = performance.now() - since
    if (ending === undefined) {
      child.kill('SIGKILL')
      await child.ended
      wrong.push('hangs at exit')
    } else {
      const { code, signal } = scenario.exitStatus ?? { code: end === 'exit' ? 3 : 0, signal: null }
      if (ending.code !== code || ending.signal !== signal)
        wrong.push(
          `ends with ${ending.code ?? ending.signal} instead of ${code ?? signal}: ${firstErrorOf(child.stderr)}`,
        )
      if (took > endMillis) wrong.push(tooLate(`exit takes ${seconds(took)}`))
    }
    if (reopenThrew) wrong.push('throws when it reopens its file')
    if (threw > 0) wrong.push(`throws: ${threw} of ${logged} calls`)
    if (longestTurn > turnMillis) wrong.push(tooLate(`blocks the event loop for ${seconds(longestTurn)}`))
    // Without an injected failure the scenario proves nothing.
    if (start?.wrap?.[0] === 'strace' && failedWrites(output.path) === 0)
      wrong.push('no failure was injected into a write')
    const text = await output.text()
    const { pid, stats, stderr, errors } = child
    // A process that hung could not report its statistics.
    if (ending === undefined && stats === undefined) return wrong
    const outcome = { pid, logged, contents: readSink(text, harness.run), stats, stderr, errors }
    return [...wrong, ...checkOutcome(outcome, scenario), ...(scenario.check?.(text, child) ?? [])]
  } finally {
    output.close()
  }
}

/** Returns the value of a promise, or undefined if it does not settle within the given ms. */
export async function within<T>(millis: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, millis, undefined)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

export function seconds(millis: number): string {
  return `${(millis / 1_000).toFixed(1)} s`
}
