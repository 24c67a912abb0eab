// Logs a burst in one turn to a standard output without a reader, and reports its memory. Argument: a BurstPlan as JSON.
import { writeSync } from 'node:fs'
import { peakMemory } from '../../support/processes/peak-memory.ts'
import type { OpenSubject } from '../subjects/subject.ts'
import type { BurstPlan, BurstMemory } from './burst.ts'

const { subject: name, options, records } = JSON.parse(process.argv[2]!) as BurstPlan
const { open } = (await import(new URL(`../subjects/${name}.ts`, import.meta.url).href)) as { open: OpenSubject }
const subject = await open({ to: 'stdout' }, options, undefined)
const before = peakMemory()
for (let seq = 0; seq < records; seq++) subject.log(seq % 10 === 0 ? 'warn' : 'info', { seq, userId: 'u-17', ms: 12.5 })
writeSync(3, JSON.stringify({ before, peak: peakMemory() } satisfies BurstMemory))
process.exit()
