import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { startFaultChild } from '../harness/fault-child.ts'
import { disagreements, readSink, tally } from '../harness/oracle.ts'
import { slowlyReadPipe } from '../harness/slow-pipe.ts'
import { until } from '../../support/until.ts'
import type { Row } from './row.ts'

const namespace = ['unshare', '--pid', '--fork', '--kill-child']

/** The kernel does not let the first process of a namespace die by a signal that it sends to itself. */
export const pidOne: Row = {
  row: 17,
  fault: 'the process is PID 1, and gets SIGTERM and then SIGINT',
  how: '`unshare --pid --fork`; each signal comes behind a burst to a pipe that is read slowly',
  needs: {
    what: 'unshare --pid',
    isThere: () => spawnSync(namespace[0]!, [...namespace.slice(1), 'true']).status === 0,
  },
  async run({ subject, run, path }) {
    const pipe = slowlyReadPipe(path('pipe'), { bytes: 65_536, everyMillis: 20 })
    // Not by the bench: at its end it kills by the PID that the process has for itself.
    const child = await startFaultChild({
      subject,
      run,
      sink: { to: 'stdout' },
      stdout: pipe.fd,
      wrap: namespace,
      timeoutMillis: 20_000,
    })
    const wrong: string[] = child.pid === 1 ? [] : [`it has PID ${child.pid}`]
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      await child.ask({ do: 'log', count: 4_000 })
      const before = child.ledger
      process.kill(pidOutside(run), signal)
      // It is told when the signal is raised again, that is, when the logger is done with it.
      await until(() => child.ledger !== before).catch(() => {})
      const waits = child.ledger === before ? 'who knows what waits' : `${child.ledger?.queued} records wait`
      if (child.ledger?.queued !== 0) wrong.push(`${waits} after ${signal}`)
    }
    await child.ask({ do: 'log', count: 1_000 })
    child.tell({ do: 'exit', code: 7 })
    const { code, signal } = await child.ended
    const found = readSink(pipe.end(), run)
    const { unique } = tally(found, 1)
    return [
      ...wrong,
      ...(code === 7 ? [] : [`it ended with ${code ?? signal}`]),
      ...(unique === 9_000 ? [] : [`${unique} of 9000 are there`]),
      ...(child.ledger === undefined ? [] : disagreements(found, new Map([[1, child.ledger]]))),
    ]
  },
}

/** The PID by which this namespace knows the process of a run that is PID 1 of its own. */
function pidOutside(run: string): number {
  const pid = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const isOurs = readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(`"run":"${run}"`)
      return isOurs && /^NSpid:.*\t1$/m.test(readFileSync(`/proc/${name}/status`, 'latin1'))
    } catch {
      return false // it has ended meanwhile
    }
  })
  if (pid === undefined) throw new Error('the process is not there')
  return Number(pid)
}
