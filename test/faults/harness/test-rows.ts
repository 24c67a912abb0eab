import { readdirSync, readFileSync } from 'node:fs'
import { expect } from '@jest/globals'
import { needs } from '../../support/needs.ts'
import { startFaultChild, type FaultChild } from './fault-child.ts'
import { temporaryDirectory } from '../../support/files/pipes.ts'
import type { FaultRow } from '../rows/row.ts'

let runs = 0

/** Defines a test for each row. `title` is the result that each test requires. The default timeout suits a busy machine. */
export function testRows(title: string, rows: readonly FaultRow[], timeoutMillis = 180_000): void {
  for (const row of rows) {
    const { what, isAvailable: isThere } = row.needs ?? { what: 'Node', isAvailable: () => true }
    needs(what, isThere())(
      `${title} when ${row.fault}`,
      async () => expect(await runRow(row, 'sluice')).toEqual([]),
      timeoutMillis,
    )
  }
}

/** Injects the fault of a row for one logger. Returns what is wrong afterwards. */
async function runRow(row: FaultRow, subject: string): Promise<readonly string[]> {
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

/** Returns the processes of a run that still exist. */
function leftOf(run: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const isOurs = /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`"run":"${run}"`)
      return isOurs ? [`the process ${pid} still exists`] : []
    } catch {
      return [] // the process has exited
    }
  })
}
