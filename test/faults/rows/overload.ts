import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { memoryOfBurst } from '../harness/burst.ts'
import { findMismatches, readSink, type SinkContents, type ReportedStats } from '../harness/oracle.ts'
import { slowlyReadPipe } from '../harness/slow-pipe.ts'
import type { FaultRow } from './row.ts'

const MiB = 1_048_576
const million = 1_000_000
const padding = 20
/** The capacity of a pipe and the records in the exporter, in bytes. Later records are queued. */
const exportedBytes = 3 * 65_536

/** A number of records that fits into the default queue of 16 MiB. */
const fitsInQueue = 50_000

type Dropping = 'dropLowest' | 'dropNewest' | 'dropOldest'

/** A million records in one turn, to a pipe without a reader. */
export function millionRecordsToStalledPipe(onFull: Dropping, maxQueueBytes: number): FaultRow {
  return {
    row: 14,
    fault: `a million records are logged in one turn to a pipe that is not read, with \`${onFull}\` and ${maxQueueBytes / MiB} MiB`,
    how: 'a pipe that is not read before the burst is over; every tenth record is a warning',
    async run(harness) {
      const pipe = slowlyReadPipe(harness.path('pipe'), { bytes: 0 })
      const options = { exporter: { onFull, maxQueueBytes } }
      const child = await harness.start({ sink: { to: 'stdout' }, stdout: pipe.fd, options })
      const { threw } = await child.request<'logged'>({ do: 'log', count: million, padding })
      pipe.pace({ bytes: MiB })
      await child.request({ do: 'flush', timeoutMillis: 20_000 })
      await child.request({ do: 'log', count: 1 })
      child.send({ do: 'end' })
      await child.ended
      const contents = readSink(pipe.end(), harness.run)
      return [
        ...(threw === 0 ? [] : [`${threw} calls threw`]),
        ...checkSomethingLost(child.stats),
        ...checkDropCounts(contents, child.stats, child.pid, million + 1),
        ...checkRetained(onFull, contents.sequences.get(child.pid) ?? []),
      ]
    },
  }
}

/** With `block` the calls wait and no record is lost. */
export function blockingBurst(records: number): FaultRow {
  return {
    row: 14,
    fault: `${records} records are logged in one event loop turn, the reader is slow, and \`block\` has 1 MiB`,
    how: 'a pipe of which 64 KiB are read every ms',
    async run(harness) {
      const pipe = slowlyReadPipe(harness.path('pipe'), { bytes: 65_536 })
      const options = { exporter: { onFull: 'block', maxQueueBytes: MiB } }
      const child = await harness.start({ sink: { to: 'stdout' }, stdout: pipe.fd, options })
      await child.request({ do: 'log', count: records, padding })
      child.send({ do: 'end' })
      await child.ended
      return checkNothingLost(readSink(pipe.end(), harness.run), child.stats, child.pid, records)
    },
  }
}

/**
 * A file accepts a burst at once unless the machine is busy, and then dropped records are counted. Records that fit into the queue
 * are never dropped, and neither are any with `block`.
 */
export function burstToFile(onFull: Dropping | 'block', records: number): FaultRow {
  return {
    row: 14,
    fault: `${records} records are logged to a file in one event loop turn, with \`${onFull}\``,
    how: 'a file on a disk that keeps up',
    async run(harness) {
      const path = harness.path('file')
      const child = await harness.start({ sink: { to: 'file', path }, options: { exporter: { onFull } } })
      await child.request({ do: 'log', count: records, padding })
      await child.request({ do: 'flush', timeoutMillis: 20_000 })
      await child.request({ do: 'log', count: 1 })
      child.send({ do: 'end' })
      await child.ended
      const contents = readSink(readFileSync(path, 'latin1'), harness.run)
      const { stats, pid } = child
      return onFull === 'block' || records <= fitsInQueue
        ? checkNothingLost(contents, stats, pid, records + 1)
        : checkDropCounts(contents, stats, pid, records + 1)
    },
  }
}

/** A slow disk: from the second write on, writes leave the event loop, and later records are queued. */
export function burstToSlowDisk(onFull: Dropping | 'block', records: number): FaultRow {
  return {
    row: 14,
    fault: `${records} records are logged in one turn to a slow disk, with \`${onFull}\` and 1 MiB`,
    how: 'strace delays every write to the file by 30 ms',
    needs: strace,
    async run(harness) {
      const path = harness.path('file')
      const inject = ['-e', 'trace=write', '-e', 'inject=write:delay_enter=30000']
      const child = await harness.start({
        sink: { to: 'file', path },
        wrap: ['strace', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-P', path, ...inject],
        options: { exporter: { onFull, maxQueueBytes: MiB } },
      })
      const { longestCall } = await child.request<'logged'>({ do: 'log', count: records, padding })
      await child.request({ do: 'flush', timeoutMillis: 20_000 })
      await child.request({ do: 'log', count: 1 })
      child.send({ do: 'end' })
      await child.ended
      const contents = readSink(readFileSync(path, 'latin1'), harness.run)
      const { stats, pid } = child
      if (onFull === 'block') return checkNothingLost(contents, stats, pid, records + 1)
      return [
        ...checkSomethingLost(stats),
        ...checkDropCounts(contents, stats, pid, records + 1),
        // One slow write in a call detects the slow disk. On a busy machine the call takes longer.
        ...(longestCall < 500 ? [] : [`a call took ${Math.round(longestCall)} ms`]),
      ]
    },
  }
}

/** A reader that stalls for some time while the process continues to log. */
export function stalledReader(stallMillis: number): FaultRow {
  return {
    row: 14,
    fault: `the reader stalls for ${stallMillis / 1_000} s while records are logged`,
    how: 'a pipe that is not read for that time, 200 records every 10 ms, a queue of 1 MiB',
    async run(harness) {
      const pipe = slowlyReadPipe(harness.path('pipe'), { bytes: MiB })
      const options = { exporter: { maxQueueBytes: MiB } }
      const timeoutMillis = stallMillis + 30_000
      const child = await harness.start({ sink: { to: 'stdout' }, stdout: pipe.fd, options, timeoutMillis })
      await child.request({ do: 'log', count: 1_000, perTurn: 200 })
      pipe.pace({ bytes: 0 })
      const end = performance.now() + stallMillis
      let longest = 0
      let logged = 1_000
      while (performance.now() < end) {
        const reply = await child.request<'logged'>({ do: 'log', count: 10_000, perTurn: 200, everyMillis: 10 })
        longest = Math.max(longest, reply.longestTurn)
        logged = reply.next
      }
      pipe.pace({ bytes: MiB })
      const { ok } = await child.request<'flushed'>({ do: 'flush' })
      await child.request({ do: 'log', count: 1_000, perTurn: 200 })
      child.send({ do: 'end' })
      await child.ended
      const contents = readSink(pipe.end(), harness.run)
      const last = (contents.sequences.get(child.pid) ?? []).slice(-1_000)
      return [
        ...checkSomethingLost(child.stats),
        ...checkDropCounts(contents, child.stats, child.pid, logged + 1_000),
        ...(ok ? [] : ['queued records were not written after the reader resumed']),
        ...(last[0] === logged ? [] : ['records that were logged after the recovery are incomplete']),
        ...(longest < 1_000 ? [] : [`a turn took ${Math.round(longest)} ms`]),
      ]
    },
  }
}

/** Memory that a queue may use beyond its limit, including the garbage of such a turn: docs/guides/processes.md. */
const beyondLimit = 128 * MiB

/** A full queue must not grow. */
export function memoryOfFullQueue(onFull: Dropping, maxQueueBytes: number): FaultRow {
  return {
    row: 14,
    fault: `a million records are logged in one turn to a pipe that is not read, with \`${onFull}\` and ${maxQueueBytes / MiB} MiB of memory`,
    how: 'the peak resident memory (VmHWM) of a separate process',
    async run(harness) {
      const pipe = slowlyReadPipe(harness.path('pipe'), { bytes: 0 })
      const options = { exporter: { onFull, maxQueueBytes }, logger: { exitTimeoutMillis: 1 } }
      const { before, peak } = await memoryOfBurst({ subject: harness.subject, options, records: million }, pipe.fd)
      pipe.end()
      const more = peak - before - maxQueueBytes
      return more <= beyondLimit ? [] : [`it used ${Math.round(more / MiB)} MiB more than the limit`]
    },
  }
}

const strace = {
  what: 'strace',
  isAvailable: () => spawnSync('strace', ['-e', 'inject=write:delay_enter=1', 'true']).status === 0,
}

function checkNothingLost(
  contents: SinkContents,
  stats: ReportedStats | undefined,
  pid: number,
  records: number,
): string[] {
  const { length } = contents.sequences.get(pid) ?? []
  return [
    ...(stats === undefined ? [] : findMismatches(contents, new Map([[pid, stats]]))),
    ...(length === records ? [] : [`${length} of ${records} found`]),
  ]
}

function checkSomethingLost(stats: ReportedStats | undefined): string[] {
  return stats?.dropped.total === 0 ? ['nothing was lost: the fault was not injected'] : []
}

/** The statistics and the drop reports in the sink must match the missing records exactly. */
function checkDropCounts(
  contents: SinkContents,
  reported: ReportedStats | undefined,
  pid: number,
  records: number,
): string[] {
  const stats = reported as (ReportedStats & { dropped: { byLevel: Record<string, number> } }) | undefined
  if (stats === undefined) return ['it has no statistics']
  const sequences = contents.sequences.get(pid) ?? []
  const warnings = sequences.filter(isWarning).length
  const missing = {
    warn: Math.ceil(records / 10) - warnings,
    info: records - Math.ceil(records / 10) - (sequences.length - warnings),
  }
  const { total, byReason, byLevel } = stats.dropped
  const inReports = contents.reportedDrops.reduce((sum, count) => sum + count, 0)
  const { queue_full: full, ...others } = byReason
  return [
    ...findMismatches(contents, new Map([[pid, stats]])),
    ...(full === total
      ? []
      : [`${full} of ${total} are dropped with reason queue_full, others with ${JSON.stringify(others)}`]),
    ...(inReports === total ? [] : [`drop reports include ${inReports} of ${total} dropped records`]),
    ...(['warn', 'info'] as const).flatMap((level) =>
      byLevel[level] === missing[level]
        ? []
        : [`${byLevel[level]} ${level} are counted, ${missing[level]} are missing`],
    ),
  ]
}

/** Checks that the records remain that the overflow policy keeps. The last record was logged when there was space again. */
function checkRetained(onFull: Dropping, sequences: readonly number[]): string[] {
  const burst = sequences.filter((seq) => seq < million)
  const gaps = burst.flatMap((seq, index) => (index > 0 && seq !== burst[index - 1]! + 1 ? [index] : []))
  switch (onFull) {
    case 'dropNewest':
      return burst[0] === 0 && gaps.length === 0 ? [] : ['some of the oldest records are missing']
    case 'dropOldest':
      return burst.at(-1) === million - 1 && gaps.length <= 1 ? [] : ['some of the newest records are missing']
    default:
      return checkRetainedSeverities(burst)
  }
}

/** No warning is lost, unless only those less severe records remain that were exported before. */
function checkRetainedSeverities(burst: readonly number[]): string[] {
  const warnings = burst.filter(isWarning).length
  if (warnings === million / 10) return []
  // The shortest line has more than 100 bytes.
  const late = burst.filter((seq) => !isWarning(seq) && seq > exportedBytes / 100)
  return late.length === 0
    ? []
    : [`${million / 10 - warnings} warnings are lost, but ${late.length} less severe records remain`]
}

function isWarning(seq: number): boolean {
  return seq % 10 === 0
}
