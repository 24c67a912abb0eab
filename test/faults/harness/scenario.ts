import type { RowBench } from '../rows/row.ts'
import type { Command, Reply } from './commands.ts'
import { wordsOf, type Ending, type FaultChild, type FaultChildPlan } from './fault-child.ts'
import { failedWrites } from './injection.ts'
import { judge, tooLate, type Allowed } from './judge.ts'
import { readSink } from './oracle.ts'
import type { Outlet } from './outlets.ts'

/** One process and one fault. */
export interface Scenario extends Allowed {
  /** Closed at the end. */
  readonly outlet: Outlet
  readonly start?: Omit<FaultChildPlan, 'subject' | 'run' | 'sink' | 'stdout'>
  /** What happens to the process. Returns what is wrong beside what the sink and the ledger say. */
  readonly story: (actor: Actor) => Promise<readonly string[] | void>
  /** What is wrong with what the sink holds at the end, beside all that is looked at anyway. */
  readonly afterwards?: (text: string, child: FaultChild) => readonly string[]
  /** How it is told to end. Default: `end`, by having nothing more to do; `story`: by what happens to it. */
  readonly end?: 'end' | 'exit' | 'story'
  /** How a process ends that does not log. Default: code 0, with `exit` 3. */
  readonly ending?: Ending
  /** How long the end may take, in ms. Default 3,000. */
  readonly endMillis?: number
  /** The longest turn of the event loop while it logs, in ms, where that is asked. */
  readonly turnMillis?: number
}

type Logged = Extract<Reply, { said: 'logged' }>

/** The process of a scenario. */
export interface Actor {
  readonly child: FaultChild
  readonly outlet: Outlet
  /** Logs, and remembers how many. */
  log(count: number, how?: Omit<Command & { do: 'log' }, 'do' | 'count'>): Promise<Logged>
  /** Flushes within 10 s. Returns whether it says that everything arrived. */
  flush(): Promise<boolean>
  /** Has it open its file anew. @throws when the logger has no way to. */
  reopen(): Promise<void>
  /** Records that it logged in some other way. */
  add(count: number): void
}

/** Plays a scenario with the bench's logger. Returns all that is wrong, in sentences. */
export async function play(bench: RowBench, scenario: Scenario): Promise<string[]> {
  const { outlet, start, story, end = 'end', endMillis = 3_000, turnMillis = Infinity } = scenario
  try {
    const child = await bench.start({ ...start, ...outlet.plan })
    let logged = 0
    let longestTurn = 0
    let threw = 0
    let reopenThrew = false
    const actor: Actor = {
      child,
      outlet,
      async log(count, how) {
        const reply = await child.ask<'logged'>({ do: 'log', count, ...how })
        logged += count
        longestTurn = Math.max(longestTurn, reply.longestTurn)
        threw += reply.threw
        return reply
      },
      flush: async () => (await child.ask<'flushed'>({ do: 'flush', timeoutMillis: 10_000 })).ok,
      async reopen() {
        const { can, threw: failed } = await child.ask<'reopened'>({ do: 'reopen' })
        if (!can) throw new Error('has no way to open its file anew')
        if (failed) reopenThrew = true
      },
      add: (count) => void (logged += count),
    }
    const wrong = [...((await story(actor)) ?? [])]
    const since = performance.now()
    if (end !== 'story') child.tell({ do: end, code: 3 })
    const ending = await within(endMillis * 2 + 5_000, child.ended)
    const took = performance.now() - since
    if (ending === undefined) {
      child.kill('SIGKILL')
      await child.ended
      wrong.push('hangs at its end')
    } else {
      const { code, signal } = scenario.ending ?? { code: end === 'exit' ? 3 : 0, signal: null }
      if (ending.code !== code || ending.signal !== signal)
        wrong.push(`ends with ${ending.code ?? ending.signal} instead of ${code ?? signal}: ${wordsOf(child.stderr)}`)
      if (took > endMillis) wrong.push(tooLate(`its end takes ${seconds(took)}`))
    }
    if (reopenThrew) wrong.push('throws at the program when it opens its file anew')
    if (threw > 0) wrong.push(`throws at the program: ${threw} of ${logged} calls`)
    if (longestTurn > turnMillis) wrong.push(tooLate(`blocks the event loop for ${seconds(longestTurn)}`))
    // Else a row says nothing.
    if (start?.wrap?.[0] === 'strace' && failedWrites(outlet.path) === 0) wrong.push('no write was made to fail')
    const text = await outlet.text()
    const { pid, ledger, stderr, told } = child
    // A process that hung could not say what it knew.
    if (ending === undefined && ledger === undefined) return wrong
    const remains = { pid, logged, found: readSink(text, bench.run), ledger, stderr, told }
    return [...wrong, ...judge(remains, scenario), ...(scenario.afterwards?.(text, child) ?? [])]
  } finally {
    outlet.close()
  }
}

/** A promise's value, or undefined when it takes longer, in ms. */
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
