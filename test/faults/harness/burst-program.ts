// Logs a burst in one turn to a standard output that nobody reads, and says how much memory it took. Argument: a BurstPlan.
import { readFileSync, writeSync } from 'node:fs'
import type { OpenSubject } from '../subjects/subject.ts'
import type { BurstPlan, BurstSaid } from './burst.ts'

const { subject: name, options, records } = JSON.parse(process.argv[2]!) as BurstPlan
const { open } = (await import(new URL(`../subjects/${name}.ts`, import.meta.url).href)) as { open: OpenSubject }
const subject = await open({ to: 'stdout' }, options, undefined)
const before = peak()
for (let seq = 0; seq < records; seq++) subject.log(seq % 10 === 0 ? 'warn' : 'info', { seq, userId: 'u-17', ms: 12.5 })
writeSync(3, JSON.stringify({ before, peak: peak() } satisfies BurstSaid))
process.exit()

/** The most resident memory that it ever had, in bytes. What `getrusage` says is at least what the parent had (Linux). */
function peak(): number {
  return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))![1]) * 1_024
}
