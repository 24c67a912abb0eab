import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { startFaultChild } from '../harness/fault-child.ts'
import { findMismatches, readSink, countSequence } from '../harness/oracle.ts'
import { slowlyReadPipe } from '../harness/slow-pipe.ts'
import { waitUntil } from '../../support/wait-until.ts'
import type { FaultRow } from './row.ts'

const namespace = ['unshare', '--pid', '--fork', '--kill-child']

/** A signal that the first process of a namespace sends to itself does not end it. */
export const pidOne: FaultRow = {
  row: 17,
  fault: 'the process is PID 1 and receives SIGTERM and then SIGINT',
  how: '`unshare --pid --fork`; each signal follows a burst to a pipe with a slow reader',
  needs: {
    what: 'unshare --pid',
    isAvailable: () => spawnSync(namespace[0]!, [...namespace.slice(1), 'true']).status === 0,
  },
  async run({ subject, run, path }) {
    const pipe = slowlyReadPipe(path('pipe'), { bytes: 65_536, everyMillis: 20 })
    // Not started by the harness, which would kill it by its pid in its own namespace.
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
      await child.request({ do: 'log', count: 4_000 })
      const before = child.stats
      process.kill(pidOutside(run), signal)
      // The statistics are sent when the signal is raised again, after the logger has handled it.
      await waitUntil(() => child.stats !== before).catch(() => {})
      const queued = child.stats === before ? 'an unknown number of' : child.stats?.queued
      if (child.stats?.queued !== 0) wrong.push(`${queued} records are queued after ${signal}`)
    }
    await child.request({ do: 'log', count: 1_000 })
    child.send({ do: 'exit', code: 7 })
    const { code, signal } = await child.ended
    const contents = readSink(pipe.end(), run)
    const { unique } = countSequence(contents, 1)
    return [
      ...wrong,
      ...(code === 7 ? [] : [`it ended with ${code ?? signal}`]),
      ...(unique === 9_000 ? [] : [`${unique} of 9000 found`]),
      ...(child.stats === undefined ? [] : findMismatches(contents, new Map([[1, child.stats]]))),
    ]
  },
}

/** Returns the pid in this namespace of the process that is PID 1 in its own. */
function pidOutside(run: string): number {
  const pid = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const isOurs = readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(`"run":"${run}"`)
      return isOurs && /^NSpid:.*\t1$/m.test(readFileSync(`/proc/${name}/status`, 'latin1'))
    } catch {
      return false // the process has exited
    }
  })
  if (pid === undefined) throw new Error('the process does not exist')
  return Number(pid)
}
