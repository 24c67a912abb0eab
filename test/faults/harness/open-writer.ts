import { writeSync } from 'node:fs'
import type { OpenSubject } from '../subjects/subject.ts'
import { progressOf, type CrowdPlan, type CrowdSaid } from './crowd-plan.ts'
import type { ToldLedger } from './oracle.ts'
import { faultRecord } from './records.ts'

/** The `pid` of a member's records: threads share the one of their process. */
export function memberOf(pid: number, thread: number): number {
  return thread === 0 ? pid : pid * 1_000 + thread
}

/**
 * Opens a logger, whose ledger is told at the end. What is returned logs so many records, turn by turn, and is done in the
 * turn of the last one.
 */
export async function logging(
  { subject: name, sink, options, run, perTurn = Infinity, padding = 100 }: CrowdPlan,
  member: number,
  progress: Int32Array = new Int32Array(3),
): Promise<(count: number) => Promise<void>> {
  const { open } = (await import(new URL(`../subjects/${name}.ts`, import.meta.url).href)) as { open: OpenSubject }
  const subject = await open(sink, options ?? {}, undefined)
  let next = 0
  let longestTurn = 0
  // Listeners run in their order: by now the logger has drained.
  process.on('exit', () => {
    say({ said: 'ledger', member, longestTurn, ledger: subject.ledger() ?? allWritten(next) })
  })
  return async (count) => {
    for (let done = 0; done < count;) {
      const start = performance.now()
      for (const end = Math.min(done + perTurn, count); done < end; done++) {
        Atomics.store(progress, progressOf.logged, next + 1)
        subject.log(next % 10 === 0 ? 'warn' : 'info', faultRecord(run, member, next++, padding))
      }
      if (done === count) return
      await new Promise((resolve) => setImmediate(resolve))
      longestTurn = Math.max(longestTurn, performance.now() - start)
      Atomics.store(progress, progressOf.turnsEnded, next)
      Atomics.store(progress, progressOf.written, subject.ledger()?.written ?? 0)
    }
  }
}

/** Who counts nothing, and says nothing, has all of it written. */
function allWritten(count: number): ToldLedger {
  const [emitted, accepted, written] = [count, count, count]
  const none = { filtered: 0, queued: 0, unknown: 0, maybeDuplicated: 0, dropped: { total: 0, byReason: {} } }
  return { ...none, emitted, accepted, written }
}

/** Says something by descriptor 3. It is shorter than PIPE_BUF: what several of a crowd say does not mix. */
export function say(said: CrowdSaid): void {
  writeSync(3, `${JSON.stringify(said)}\n`)
}
