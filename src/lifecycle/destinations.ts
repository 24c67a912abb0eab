import { counted } from '../options/counted.ts'
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
  /** Whether queued records are written when the process exits. */
  readonly handleExit: boolean
  /** Whether queued records are also written on SIGTERM, SIGINT and SIGHUP. */
  readonly handleSignals: boolean
  /** How long the exit of the process may be delayed, in ms. */
  readonly exitTimeoutMillis: number
}

type Destination = NonNullable<Exporter['destination']>

/** A pipeline that other loggers can join. */
interface OpenDestination {
  readonly processor: BatchProcessor
  /** The options that every exporter of the destination must have. */
  readonly options: Readonly<Record<string, unknown>>
}

/**
 * The destinations that all copies of this package in a process share. This interface changes only together with the `v1` in its
 * key.
 */
interface Destinations {
  /**
   * Open destinations by the `place`, or else the `key` (see `Exporter.destination`), that they had when they were opened. Do not look a
   * destination up here: the same place or key can refer to another file by now. See `findOpenDestination`.
   */
  readonly byKey: Map<string, OpenDestination>
  /** The exporters that are or were attached to a pipeline. */
  readonly used: WeakSet<Exporter>
}

const registryKey = Symbol.for('sluice/v1/destinations')

/**
 * Returns the problems that prevent an exporter from serving a logger: `SLUICE_EXPORTER_IN_USE` if it serves or has served one or is one
 * of `others`, and otherwise `SLUICE_DESTINATION_CONFLICT` for each option that differs from that of an open exporter, or one of
 * `others`, with the same destination. Exporters can share a destination only with the same options.
 *
 * @param others - exporters that will be opened before this one
 * @param path - path of the exporter in the options, for the problems
 */
export function destinationProblems(
  exporter: Exporter,
  others: readonly Exporter[],
  path: string,
): ConfigurationProblem[] {
  const { used } = destinations()
  if (used.has(exporter) || others.includes(exporter)) {
    const message = `the exporter ${exporter.name} is already in use; create one for each logger, or use child()`
    return [{ code: 'SLUICE_EXPORTER_IN_USE', path, message }]
  }
  const destination = member(exporter, 'destination')
  if (destination === undefined) return []
  const other = others.find((candidate) => isSameDestination(member(candidate, 'destination'), destination))
  const openOptions = findOpenDestination(destination)?.options ?? other?.destination?.options
  if (openOptions === undefined) return []
  return Object.entries(destination.options)
    .filter(([name, value]) => value !== undefined && member(openOptions, name) !== value)
    .map(([name, value]) => ({
      code: 'SLUICE_DESTINATION_CONFLICT',
      path: `${path}.${name}`,
      message:
        `${exporter.name} is already open with ${name} = ${JSON.stringify(member(openOptions, name)) ?? 'the default'}, ` +
        `not ${JSON.stringify(value)}; use the same options for both, or share one logger`,
    }))
}

/**
 * Returns the pipeline of an exporter for which `destinationProblems` found nothing, with the producer added: a new pipeline, or
 * the open one with the same destination. Two pipelines to one pipe would interleave their lines; one queue keeps the lines in the
 * order of the calls.
 *
 * @param userExporter - exporter as it was passed by the user
 * @param exporter - copy of it that the pipeline uses
 * @param owner - object that the logger references; when it is garbage collected, the producer is removed as by
 * `detachProducer`
 * @param decorate - wraps the exporter if a pipeline is opened for it; undefined to use it unchanged
 */
export function joinDestination(
  userExporter: Exporter,
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
  const openProcessor = destination === undefined ? undefined : findOpenDestination(destination)?.processor
  const processor =
    openProcessor ?? new BatchProcessor(decorate === undefined ? exporter : snapshotExporter(decorate(exporter)), host)
  used.add(userExporter)
  processor.producers.add(producer)
  if (openProcessor !== undefined) {
    void closeUnused(exporter)
  } else {
    openPipelines().add(processor)
    if (destination !== undefined)
      byKey.set(member(destination, 'place') ?? destination.key, { processor, options: destination.options })
  }
  detachWhenCollected(owner, { processor, producer, detach: detachEmpty })
  if (exit.handleExit && guardExit !== undefined)
    guardRemovals.set(producer, guardExit(guardedPipeline(processor, host, exit)))
  return processor
}

/** Flushes a pipeline and removes a producer from it. If it is the last producer, the pipeline is closed. Never rejects. */
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
function detachEmpty(processor: BatchProcessor, producer: Producer): void {
  void detachProducer(processor, producer, processor.host.exitTimeoutMillis)
}

/**
 * Returns the open pipeline that writes to a destination. The current destinations are compared, not those at opening, because
 * after a rotation the path of a file refers to another file, and the inode number of the old one can be reused.
 */
function findOpenDestination(destination: Destination): OpenDestination | undefined {
  const all = [...destinations().byKey.values()]
  return all.find(({ processor }) => isSameDestination(processor.exporter.destination, destination))
}

function isSameDestination(one: Destination | undefined, other: Destination): boolean {
  if (one === undefined) return false
  const place = member(one, 'place')
  return one.key === other.key || (place !== undefined && place === member(other, 'place'))
}

// The functions that end the guarding, by producer: each logger registers its pipelines with the exit guard under its own exit
// options, even if another logger opened the pipeline.
const guardRemovals = new WeakMap<Producer, () => void>()

/** Returns a pipeline as the exit guard uses it, under the exit options of one logger. */
function guardedPipeline(
  processor: BatchProcessor,
  host: PipelineHost,
  { handleSignals, exitTimeoutMillis }: ExitOptions,
): GuardedPipeline {
  return {
    finish: (millis) => (processor.needsEventLoop ? processor.flush(millis) : undefined),
    drain(deadline, occasion) {
      const { pending } = processor.drain(deadline, occasion === 'exit')
      // The process may continue, but if another listener ends it now, nothing else reports these records.
      if (occasion !== 'signal' || pending === 0) return
      const { name } = processor.exporter
      host.reportDiagnostic(
        'SLUICE_RECORDS_PENDING',
        `${counted(pending, 'record')} could not be written to ${name} while a signal was handled`,
      )
    },
    afterExit: () => processor.startWriteThrough(),
    handleSignals,
    exitTimeoutMillis,
  }
}

/** Closes an exporter whose destination is already open through another exporter. */
async function closeUnused(exporter: Exporter): Promise<void> {
  try {
    await exporter.shutdown?.()
  } catch {
    // The exporter violates its contract, but it has received no records.
  }
}

function destinations(): Destinations {
  const shared = globalThis as { [registryKey]?: Destinations }
  if (shared[registryKey] === undefined) {
    define(shared, registryKey, { value: Object.freeze({ byKey: new Map(), used: new WeakSet() }) })
  }
  return shared[registryKey]!
}
