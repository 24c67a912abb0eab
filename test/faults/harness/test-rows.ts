import { readdirSync, readFileSync } from 'node:fs'
import { expect } from '@jest/globals'
import { needs } from '../../support/needs.ts'
import { startFaultChild, type FaultChild } from './fault-child.ts'
import { temporaryDirectory } from '../../support/files/pipes.ts'
import type { Row } from '../rows/row.ts'

let runs = 0

/** A number that is printed, and that the variable FAULTS_SEED repeats. */
export function seed(): number {
  const number = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000)
  process.stderr.write(`FAULTS_SEED=${number}\n`)
  return number
}

/** A test for each row: we survive it. `timeoutMillis`: default 3 min, for a busy machine. */
export function testRows(rows: readonly Row[], timeoutMillis = 180_000): void {
  for (const row of rows) {
    const { what, isThere } = row.needs ?? { what: 'Node', isThere: () => true }
    needs(what, isThere())(
      `when ${row.fault} (row ${row.row})`,
      async () => expect(await runRow(row, 'sluice')).toEqual([]),
      timeoutMillis,
    )
  }
}

/** Makes a row for one logger; returns what is wrong afterwards. */
async function runRow(row: Row, subject: string): Promise<readonly string[]> {
  const directory = temporaryDirectory()
  const run = `${row.row}-${process.pid}-${runs++}`
  const children: FaultChild[] = []
  try {
    const wrong = await row.run({
      subject,
      run,
      path: (name) => directory.path(name),
      async start(plan) {
        const child = await startFaultChild({ ...plan, subject, run })
        children.push(child)
        return child
      },
    })
    return [...wrong, ...leftOf(run)]
  } finally {
    for (const child of children) if ((await state(child)) === 'runs') child.kill('SIGKILL')
    directory.remove()
  }
}

function state({ ended }: FaultChild): Promise<'runs' | 'ended'> {
  const next = new Promise<'runs'>((resolve) => setImmediate(() => resolve('runs')))
  return Promise.race([ended.then(() => 'ended' as const), next])
}

/** Processes of a run that are still there. */
function leftOf(run: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const isOurs = /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`"run":"${run}"`)
      return isOurs ? [`the process ${pid} is still there`] : []
    } catch {
      return [] // it has ended meanwhile
    }
  })
}
