import { BatchProcessor } from '../pipeline/batch-processor.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { PipelineHost } from '../pipeline/host.ts'
import type { Producer } from '../pipeline/producer.ts'
import { snapshotExporter } from '../pipeline/snapshot-exporter.ts'
import { member } from '../options/own-members.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { openPipelines } from './open-pipelines.ts'
import { detachWhenCollected } from './dropped-loggers.ts'
import type { GuardedPipeline, Platform } from './platform.ts'
import { define } from '../options/define-member.ts'

/** How a logger handles the exit of the process. */
export interface ExitOptions {
  readonly handleExit: boolean
  readonly handleSignals: boolean
  readonly exitTimeoutMillis: number
}

type Destination = NonNullable<Exporter['destination']>

/** A pipeline that other loggers can join. */
interface OpenDestination {
  readonly processor: BatchProcessor
  readonly options: Readonly<Record<string, unknown>>
}

/** The destinations that all copies of this package in a process share. Its contract changes only with the `v1`. */
interface Destinations {
  /** Destinations by the name or key under which they were opened. That name or key can since belong to another file. */
  readonly byKey: Map<string, OpenDestination>
  readonly used: WeakSet<Exporter>
}

const registryKey = Symbol.for('sluice/v1/destinations')

/**
 * Returns the problems that prevent an exporter from serving another logger: `SLUICE_EXPORTER_IN_USE` if it already serves one,
 * and `SLUICE_DESTINATION_CONFLICT` for each option that differs from that of an open exporter with the same destination. Two
 * loggers can share a destination only with the same options.
 *
 * @param others - exporters that will be opened before this one
 */
export function destinationProblems(
  exporter: Exporter,
  others: readonly Exporter[],
  where: string,
): ConfigurationProblem[] {
  const { used } = destinations()
  if (used.has(exporter) || others.includes(exporter)) {
    const message = `the exporter ${exporter.name} is already in use; create one for each logger, or use child()`
    return [{ code: 'SLUICE_EXPORTER_IN_USE', path: where, message }]
  }
  const destination = member(exporter, 'destination')
  if (destination === undefined) return []
  const other = others.find((candidate) => isSame(member(candidate, 'destination'), destination))
  const open = openDestination(destination)?.options ?? other?.destination?.options
  if (open === undefined) return []
  return Object.entries(destination.options)
    .filter(([name, value]) => value !== undefined && member(open, name) !== value)
    .map(([name, value]) => ({
      code: 'SLUICE_DESTINATION_CONFLICT',
      path: `${where}.${name}`,
      message:
        `${exporter.name} is already open with ${name} = ${JSON.stringify(member(open, name)) ?? 'the default'}, ` +
        `not ${JSON.stringify(value)}; use the same options for both, or share one logger`,
    }))
}

/**
 * Returns the pipeline of an exporter for which `destinationProblems` found nothing: a new one, or the open one with the same
 * destination. Two writers on one pipe would interleave their lines, and one queue keeps lines in the order of the calls.
 *
 * @param given - exporter as it was passed by the user
 * @param exporter - copy of it that the pipeline uses
 * @param owner - object that the logger references; when it is garbage collected, the producer is removed as by
 * `leaveDestination`
 */
export function joinDestination(
  given: Exporter,
  exporter: Exporter,
  owner: object,
  producer: Producer,
  host: PipelineHost,
  exit: ExitOptions,
  guardExit: Platform['guardExit'],
  decorate: ((exporter: Exporter) => Exporter) | undefined,
): BatchProcessor {
  const { byKey, used } = destinations()
  const { destination } = exporter
  const open = destination === undefined ? undefined : openDestination(destination)?.processor
  const processor =
    open ?? new BatchProcessor(decorate === undefined ? exporter : snapshotExporter(decorate(exporter)), host)
  used.add(given)
  processor.producers.add(producer)
  if (open !== undefined) {
    void release(exporter)
  } else {
    openPipelines().add(processor)
    if (destination !== undefined)
      byKey.set(member(destination, 'place') ?? destination.key, { processor, options: destination.options })
  }
  detachWhenCollected(owner, { processor, producer, leave: leaveEmpty })
  if (exit.handleExit && guardExit !== undefined) guardRemovals.set(producer, guardExit(guarded(processor, host, exit)))
  return processor
}

/** Flushes, and removes a producer from its pipeline. The last one closes the pipeline. Never rejects. */
export async function detachProducer(
  processor: BatchProcessor,
  producer: Producer,
  timeoutMillis: number,
): Promise<void> {
  const { host } = processor
  const deadline = host.monotonic() + timeoutMillis
  await processor.flush(timeoutMillis)
  if (processor.producers.size > 1) {
    processor.removeProducer(producer)
  } else {
    const { byKey } = destinations()
    for (const [key, open] of byKey) if (open.processor === processor) byKey.delete(key)
    openPipelines().delete(processor)
    await processor.shutdown(Math.max(0, deadline - host.monotonic()))
    processor.removeProducer(producer)
  }
  guardRemovals.get(producer)?.()
}

/** Removes a producer without queued records whose logger was garbage collected. */
function leaveEmpty(processor: BatchProcessor, producer: Producer): void {
  void detachProducer(processor, producer, processor.host.exitTimeoutMillis)
}

/**
 * Returns the open destination that is the same now: after a rotation the path of a file refers to another file, and its old
 * inode number can be reused.
 */
function openDestination(destination: Destination): OpenDestination | undefined {
  const all = [...destinations().byKey.values()]
  return all.find(({ processor }) => isSame(processor.exporter.destination, destination))
}

function isSame(one: Destination | undefined, other: Destination): boolean {
  if (one === undefined) return false
  const place = member(one, 'place')
  return one.key === other.key || (place !== undefined && place === member(other, 'place'))
}

// Each logger registers its pipelines with the exit guard under its own exit options, even if another logger opened the pipeline.
const guardRemovals = new WeakMap<Producer, () => void>()

function guarded(
  processor: BatchProcessor,
  host: PipelineHost,
  { handleSignals, exitTimeoutMillis }: ExitOptions,
): GuardedPipeline {
  return {
    finish: (millis) => (processor.needsEventLoop ? processor.flush(millis) : undefined),
    drain(deadline, occasion) {
      const { pending } = processor.drain(deadline, occasion === 'exit')
      // The process may continue; but if another listener exits it now, nothing else reports these records.
      if (occasion !== 'signal' || pending === 0) return
      const { name } = processor.exporter
      host.reportDiagnostic(
        'SLUICE_RECORDS_PENDING',
        `${pending} records could not be written to ${name} while a signal was handled`,
      )
    },
    afterExit: () => processor.writeThrough(),
    handleSignals,
    exitTimeoutMillis,
  }
}

/** Closes an exporter whose destination is already open through another exporter. */
async function release(exporter: Exporter): Promise<void> {
  try {
    await exporter.shutdown?.()
  } catch {
    // The exporter violates its contract, but it was given no records.
  }
}

function destinations(): Destinations {
  const shared = globalThis as { [registryKey]?: Destinations }
  if (shared[registryKey] === undefined) {
    define(shared, registryKey, { value: Object.freeze({ byKey: new Map(), used: new WeakSet() }) })
  }
  return shared[registryKey]!
}
