import { randomBytes } from 'node:crypto'
import { temporaryDirectory } from '../../support/files/pipes.ts'
import type { FaultRow, FaultHarness } from '../rows/row.ts'
import { startFaultChild, type FaultChild } from './fault-child.ts'
import { isLate } from './check-outcome.ts'

/**
 * Tests a logger with a fault. Returns everything that is wrong, as sentences. A busy machine delays a run, so a run with only
 * delays is repeated up to twice.
 */
export async function runRow({ run }: FaultRow, subject: string): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt++) {
    const wrong = await runOnce(subject, run)
    if (attempt === 3 || wrong.length === 0 || !wrong.every(isLate)) return wrong
  }
}

async function runOnce(subject: string, run: FaultRow['run']): Promise<readonly string[]> {
  const directory = temporaryDirectory()
  const name = randomBytes(6).toString('hex')
  const running = new Set<FaultChild>()
  const harness: FaultHarness = {
    subject,
    run: name,
    path: directory.path,
    async start(plan) {
      const child = await startFaultChild({ ...plan, subject, run: name, timeoutMillis: plan.timeoutMillis ?? 30_000 })
      running.add(child)
      child.ended.then(
        () => running.delete(child),
        () => running.delete(child),
      )
      return child
    },
  }
  try {
    return await run(harness)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    for (const child of running) child.kill('SIGKILL')
    directory.remove()
  }
}
