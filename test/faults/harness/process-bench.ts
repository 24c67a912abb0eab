import { startFaultChild, type FaultChild } from './fault-child.ts'
import { temporaryDirectory } from '../../support/pipes.ts'
import type { Row } from '../rows/row.ts'

let runs = 0

/** Makes a row for one logger; returns what is wrong afterwards. */
export async function runRow(row: Row, subject: string): Promise<readonly string[]> {
  const directory = temporaryDirectory()
  const run = `${row.row}-${process.pid}-${runs++}`
  const children: FaultChild[] = []
  try {
    return await row.run({
      subject,
      run,
      path: (name) => directory.path(name),
      async start(plan) {
        const child = await startFaultChild({ ...plan, subject, run })
        children.push(child)
        return child
      },
    })
  } finally {
    for (const child of children) if ((await state(child)) === 'runs') child.kill('SIGKILL')
    directory.remove()
  }
}

function state({ ended }: FaultChild): Promise<'runs' | 'ended'> {
  const next = new Promise<'runs'>((resolve) => setImmediate(() => resolve('runs')))
  return Promise.race([ended.then(() => 'ended' as const), next])
}
