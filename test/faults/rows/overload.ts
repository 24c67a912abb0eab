import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { memoryOfBurst } from '../harness/burst.ts'
import { disagreements, readSink, type Found, type ToldLedger } from '../harness/oracle.ts'
import { slowlyReadPipe } from '../harness/slow-pipe.ts'
import type { Row } from './row.ts'

const MiB = 1_048_576
const million = 1_000_000
const padding = 20
/** A pipe that nobody reads has this much, and the exporter as much again; then comes what waits. */
const handedOver = 3 * 65_536

/** So many records are less than the 16 MiB of the default. */
const fitsAnyway = 50_000

type Dropping = 'dropLowest' | 'dropNewest' | 'dropOldest'

/** A million records in one turn, and nobody reads. */
export function millionToStalledPipe(onFull: Dropping, maxQueueBytes: number): Row {
  return {
    row: 14,
    fault: `a million records come in one turn, nobody reads, and \`${onFull}\` has ${maxQueueBytes / MiB} MiB`,
    how: 'a pipe without a reader, each tenth record a warning; it is read when the burst is over',
    async run(bench) {
      const pipe = slowlyReadPipe(bench.path('pipe'), { bytes: 0 })
      const options = { exporter: { onFull, maxQueueBytes } }
      const child = await bench.start({ sink: { to: 'stdout' }, stdout: pipe.fd, options })
      const { threw } = await child.ask<'logged'>({ do: 'log', count: million, padding })
      pipe.pace({ bytes: MiB })
      await child.ask({ do: 'flush', timeoutMillis: 20_000 })
      await child.ask({ do: 'log', count: 1 })
      child.tell({ do: 'end' })
      await child.ended
      const found = readSink(pipe.end(), bench.run)
      return [
        ...(threw === 0 ? [] : [`${threw} calls threw`]),
        ...somethingLost(child.ledger),
        ...lossesAreTrue(found, child.ledger, child.pid, million + 1),
        ...kept(onFull, found.seqs.get(child.pid) ?? []),
      ]
    },
  }
}

/** `block` has the calls wait, and loses nothing. */
export function burstThatWaits(records: number): Row {
  return {
    row: 14,
    fault: `${records} records are logged in one event loop turn, the reader is slow, and \`block\` has 1 MiB`,
    how: 'a pipe of which 64 KiB are read each ms',
    async run(bench) {
      const pipe = slowlyReadPipe(bench.path('pipe'), { bytes: 65_536 })
      const options = { exporter: { onFull: 'block', maxQueueBytes: MiB } }
      const child = await bench.start({ sink: { to: 'stdout' }, stdout: pipe.fd, options })
      await child.ask({ do: 'log', count: records, padding })
      child.tell({ do: 'end' })
      await child.ended
      return nothingLost(readSink(pipe.end(), bench.run), child.ledger, child.pid, records)
    },
  }
}

/**
 * A file takes a burst as it comes, unless the machine has no time for it: what then is lost is counted. What fits into the
 * queue is never lost, nor is anything with `block`.
 */
export function burstToFile(onFull: Dropping | 'block', records: number): Row {
  return {
    row: 14,
    fault: `${records} records are logged to a file in one event loop turn, with \`${onFull}\``,
    how: 'a file on a disk that keeps up',
    async run(bench) {
      const path = bench.path('file')
      const child = await bench.start({ sink: { to: 'file', path }, options: { exporter: { onFull } } })
      await child.ask({ do: 'log', count: records, padding })
      await child.ask({ do: 'flush', timeoutMillis: 20_000 })
      await child.ask({ do: 'log', count: 1 })
      child.tell({ do: 'end' })
      await child.ended
      const found = readSink(readFileSync(path, 'latin1'), bench.run)
      const { ledger, pid } = child
      return onFull === 'block' || records <= fitsAnyway
        ? nothingLost(found, ledger, pid, records + 1)
        : lossesAreTrue(found, ledger, pid, records + 1)
    },
  }
}

/** A disk that is slow: from the second write on it leaves the event loop, and what comes meanwhile waits. */
export function burstToSlowDisk(onFull: Dropping | 'block', records: number): Row {
  return {
    row: 14,
    fault: `${records} records come in one turn for a slow disk, and \`${onFull}\` has 1 MiB`,
    how: 'strace delays each write to the file by 30 ms',
    needs: strace,
    async run(bench) {
      const path = bench.path('file')
      const inject = ['-e', 'trace=write', '-e', 'inject=write:delay_enter=30000']
      const child = await bench.start({
        sink: { to: 'file', path },
        wrap: ['strace', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-P', path, ...inject],
        options: { exporter: { onFull, maxQueueBytes: MiB } },
      })
      const { longestCall } = await child.ask<'logged'>({ do: 'log', count: records, padding })
      await child.ask({ do: 'flush', timeoutMillis: 20_000 })
      await child.ask({ do: 'log', count: 1 })
      child.tell({ do: 'end' })
      await child.ended
      const found = readSink(readFileSync(path, 'latin1'), bench.run)
      const { ledger, pid } = child
      if (onFull === 'block') return nothingLost(found, ledger, pid, records + 1)
      return [
        ...somethingLost(ledger),
        ...lossesAreTrue(found, ledger, pid, records + 1),
        // One slow write in a call is how it is found out; on a busy machine the call is longer than that.
        ...(longestCall < 500 ? [] : [`a call took ${Math.round(longestCall)} ms`]),
      ]
    },
  }
}

/** A reader that stands still for some time, while the process goes on logging. */
export function stalledReader(stallMillis: number): Row {
  return {
    row: 14,
    fault: `a reader stands still for ${stallMillis / 1_000} s, and then reads on`,
    how: 'a pipe that is not read meanwhile, 200 records each 10 ms, a queue of 1 MiB',
    async run(bench) {
      const pipe = slowlyReadPipe(bench.path('pipe'), { bytes: MiB })
      const options = { exporter: { maxQueueBytes: MiB } }
      const timeoutMillis = stallMillis + 30_000
      const child = await bench.start({ sink: { to: 'stdout' }, stdout: pipe.fd, options, timeoutMillis })
      await child.ask({ do: 'log', count: 1_000, perTurn: 200 })
      pipe.pace({ bytes: 0 })
      const end = performance.now() + stallMillis
      let longest = 0
      let logged = 1_000
      while (performance.now() < end) {
        const said = await child.ask<'logged'>({ do: 'log', count: 10_000, perTurn: 200, everyMillis: 10 })
        longest = Math.max(longest, said.longestTurn)
        logged = said.next
      }
      pipe.pace({ bytes: MiB })
      const { ok } = await child.ask<'flushed'>({ do: 'flush' })
      await child.ask({ do: 'log', count: 1_000, perTurn: 200 })
      child.tell({ do: 'end' })
      await child.ended
      const found = readSink(pipe.end(), bench.run)
      const last = (found.seqs.get(child.pid) ?? []).slice(-1_000)
      return [
        ...somethingLost(child.ledger),
        ...lossesAreTrue(found, child.ledger, child.pid, logged + 1_000),
        ...(ok ? [] : ['what waited was not written after the reader read on']),
        ...(last[0] === logged ? [] : ['what was logged after the recovery is not whole']),
        ...(longest < 1_000 ? [] : [`a turn took ${Math.round(longest)} ms`]),
      ]
    },
  }
}

/** What a queue may cost beyond its bound, V8's own garbage of such a turn included: docs/guides/processes.md. */
const beyondBound = 128 * MiB

/** A queue that is full must not grow. */
export function memoryOfFullQueue(onFull: Dropping, maxQueueBytes: number): Row {
  return {
    row: 14,
    fault: `a million records come in one turn, nobody reads, and \`${onFull}\` may hold ${maxQueueBytes / MiB} MiB in memory`,
    how: 'the peak of resident memory (VmHWM) of a process of its own',
    async run(bench) {
      const pipe = slowlyReadPipe(bench.path('pipe'), { bytes: 0 })
      const options = { exporter: { onFull, maxQueueBytes }, logger: { exitTimeoutMillis: 1 } }
      const { before, peak } = await memoryOfBurst({ subject: bench.subject, options, records: million }, pipe.fd)
      pipe.end()
      const more = peak - before - maxQueueBytes
      return more <= beyondBound ? [] : [`it took ${Math.round(more / MiB)} MiB more than the bound`]
    },
  }
}

const strace = {
  what: 'strace',
  isThere: () => spawnSync('strace', ['-e', 'inject=write:delay_enter=1', 'true']).status === 0,
}

function nothingLost(found: Found, ledger: ToldLedger | undefined, pid: number, records: number): string[] {
  const { length } = found.seqs.get(pid) ?? []
  return [
    ...(ledger === undefined ? [] : disagreements(found, new Map([[pid, ledger]]))),
    ...(length === records ? [] : [`${length} of ${records} are there`]),
  ]
}

function somethingLost(ledger: ToldLedger | undefined): string[] {
  return ledger?.dropped.total === 0 ? ['nothing was lost: the fault was not made'] : []
}

/** The ledger and the notices in the sink must tell exactly what is missing there. */
function lossesAreTrue(found: Found, told: ToldLedger | undefined, pid: number, records: number): string[] {
  const ledger = told as (ToldLedger & { dropped: { byLevel: Record<string, number> } }) | undefined
  if (ledger === undefined) return ['it counts nothing']
  const seqs = found.seqs.get(pid) ?? []
  const warnings = seqs.filter(isWarning).length
  const missing = {
    warn: Math.ceil(records / 10) - warnings,
    info: records - Math.ceil(records / 10) - (seqs.length - warnings),
  }
  const { total, byReason, byLevel } = ledger.dropped
  const noticed = found.notices.reduce((sum, count) => sum + count, 0)
  const { queue_full: full, ...others } = byReason
  return [
    ...disagreements(found, new Map([[pid, ledger]])),
    ...(full === total ? [] : [`of ${total} lost ones ${full} are queue_full, and ${JSON.stringify(others)}`]),
    ...(noticed === total ? [] : [`notices tell ${noticed} of ${total} lost records`]),
    ...(['warn', 'info'] as const).flatMap((level) =>
      byLevel[level] === missing[level]
        ? []
        : [`${byLevel[level]} ${level} are counted, ${missing[level]} are missing`],
    ),
  ]
}

/** Whether those are left that the policy is to keep. The last record came when there was room again. */
function kept(onFull: Dropping, seqs: readonly number[]): string[] {
  const burst = seqs.filter((seq) => seq < million)
  const gaps = burst.flatMap((seq, index) => (index > 0 && seq !== burst[index - 1]! + 1 ? [index] : []))
  switch (onFull) {
    case 'dropNewest':
      return burst[0] === 0 && gaps.length === 0 ? [] : ['the oldest are not all there']
    case 'dropOldest':
      return burst.at(-1) === million - 1 && gaps.length <= 1 ? [] : ['the newest are not all there']
    default:
      return keptLowest(burst)
  }
}

/** No warning is lost, or nothing is left below it but what had been handed over before. */
function keptLowest(burst: readonly number[]): string[] {
  const warnings = burst.filter(isWarning).length
  if (warnings === million / 10) return []
  // The shortest line has more than 100 bytes.
  const late = burst.filter((seq) => !isWarning(seq) && seq > handedOver / 100)
  return late.length === 0 ? [] : [`${million / 10 - warnings} warnings are lost, and ${late.length} others are there`]
}

function isWarning(seq: number): boolean {
  return seq % 10 === 0
}
