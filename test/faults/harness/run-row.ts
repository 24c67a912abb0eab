import { randomBytes } from 'node:crypto'
import { temporaryDirectory } from '../../support/files/pipes.ts'
import type { Row, RowBench } from '../rows/row.ts'
import { startFaultChild, type FaultChild } from './fault-child.ts'
import { isLate } from './judge.ts'

/**
 * Puts a logger through a row. Returns all that is wrong, in sentences. A machine that is busy elsewhere makes a run longer,
 * never shorter: what is only late may come in time in one of three runs.
 */
export async function runRow({ run }: Row, subject: string): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt++) {
    const wrong = await onBench(subject, run)
    if (attempt === 3 || wrong.length === 0 || !wrong.every(isLate)) return wrong
  }
}

async function onBench(subject: string, run: Row['run']): Promise<readonly string[]> {
  const directory = temporaryDirectory()
  const name = randomBytes(6).toString('hex')
  const running = new Set<FaultChild>()
  const bench: RowBench = {
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
    return await run(bench)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    for (const child of running) child.kill('SIGKILL')
    directory.remove()
  }
}
