import { writeSync } from 'node:fs'
import type { OpenSubject } from '../subjects/subject.ts'
import { progressOf, type WriterGroupPlan, type WriterGroupMessage } from './writer-group-plan.ts'
import type { ReportedStats } from './oracle.ts'
import { faultRecord } from './records.ts'

/** Returns the `pid` of a member's records. Threads share the pid of their process, so their thread id is included. */
export function memberOf(pid: number, thread: number): number {
  return thread === 0 ? pid : pid * 1_000 + thread
}

/**
 * Opens a logger whose statistics are sent at exit. Returns a function that logs records turn by turn and resolves in the turn of
 * the last one.
 */
export async function openWriter(
  { subject: name, sink, options, run, perTurn = Infinity, padding = 100 }: WriterGroupPlan,
  member: number,
  progress: Int32Array = new Int32Array(3),
): Promise<(count: number) => Promise<void>> {
  const { open } = (await import(new URL(`../subjects/${name}.ts`, import.meta.url).href)) as { open: OpenSubject }
  const subject = await open(sink, options ?? {}, undefined)
  let next = 0
  let longestTurn = 0
  // Listeners run in order of registration, so the logger has drained before this one runs.
  process.on('exit', () => {
    send({ type: 'stats', member, longestTurn, stats: subject.stats() ?? statsOfAllWritten(next) })
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
      Atomics.store(progress, progressOf.written, subject.stats()?.written ?? 0)
    }
  }
}

/** The expected statistics of a logger that has none: everything is written. */
function statsOfAllWritten(count: number): ReportedStats {
  const [emitted, accepted, written] = [count, count, count]
  const none = { filtered: 0, queued: 0, unknown: 0, maybeDuplicated: 0, dropped: { total: 0, byReason: {} } }
  return { ...none, emitted, accepted, written }
}

/** Sends a message to descriptor 3. It is shorter than PIPE_BUF, so messages of several members do not mix. */
export function send(message: WriterGroupMessage): void {
  writeSync(3, `${JSON.stringify(message)}\n`)
}
