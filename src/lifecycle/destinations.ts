import { BatchProcessor } from '../pipeline/batch-processor.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { PipelineHost } from '../pipeline/host.ts'
import type { Producer } from '../pipeline/producer.ts'
import { snapshotExporter } from '../pipeline/snapshot-exporter.ts'
import { member } from '../options/own-members.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import { openPipelines } from './open-pipelines.ts'
import { leaveWhenDropped } from './dropped-loggers.ts'
import type { Guarded, Platform } from './platform.ts'
import { define } from '../options/define-member.ts'

/** How the process may end for a logger. */
export interface ExitOptions {
  readonly handleExit: boolean
  readonly handleSignals: boolean
  readonly exitTimeoutMillis: number
}

type Destination = NonNullable<Exporter['destination']>

/** One pipeline that others can join. */
interface OpenDestination {
  readonly processor: BatchProcessor
  readonly options: Readonly<Record<string, unknown>>
}

/** What all copies of this package in a process know of each other's pipelines: its shape changes only with the `v1`. */
interface Destinations {
  /** By the name or key under which each was opened. The file behind either may be another one since. */
  readonly byKey: Map<string, OpenDestination>
  readonly used: WeakSet<Exporter>
}

const place = Symbol.for('sluice/v1/destinations')

/**
 * Finds what keeps an exporter from serving one more logger: `SLUICE_EXPORTER_IN_USE` if it serves one already,
 * `SLUICE_DESTINATION_CONFLICT` for each option in which somebody who writes to the same destination asked for something
 * else. Two loggers may share a destination only if both want the same.
 *
 * @param others - exporters that are about to be opened before this one.
 */
export function destinationProblems(
  exporter: Exporter,
  others: readonly Exporter[],
  where: string,
): ConfigurationProblem[] {
  const { used } = destinations()
  if (used.has(exporter) || others.includes(exporter)) {
    const message = `the exporter ${exporter.name} serves a logger already; make one for each logger`
    return [{ code: 'SLUICE_EXPORTER_IN_USE', path: where, message }]
  }
  const destination = member(exporter, 'destination')
  if (destination === undefined) return []
  const other = others.find((candidate) => isSame(member(candidate, 'destination'), destination))
  const known = openDestination(destination)?.options ?? other?.destination?.options
  if (known === undefined) return []
  return Object.entries(destination.options)
    .filter(([name, value]) => value !== undefined && member(known, name) !== value)
    .map(([name, value]) => ({
      code: 'SLUICE_DESTINATION_CONFLICT',
      path: `${where}.${name}`,
      message:
        `${exporter.name} is written to already with ${name} = ${JSON.stringify(member(known, name) ?? 'the default')}, ` +
        `not ${JSON.stringify(value)}; give both the same options, or log through one logger`,
    }))
}

/**
 * The pipeline of an exporter in which `destinationProblems` found nothing: a new one, or that of the same destination if
 * somebody in this process writes there already. Two writers on one pipe would tear each other's lines, and one queue
 * keeps them in the order of the calls. `given` is the exporter as it was given, `exporter` what pipelines work with. `owner` is what
 * the logger holds: once that is garbage collected, the place is given up as by `leaveDestination`.
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
  const known = destination === undefined ? undefined : openDestination(destination)?.processor
  const processor =
    known ?? new BatchProcessor(decorate === undefined ? exporter : snapshotExporter(decorate(exporter)), host)
  used.add(given)
  processor.lanes.add(producer)
  if (known !== undefined) {
    void release(exporter)
  } else {
    openPipelines().add(processor)
    if (destination !== undefined)
      byKey.set(member(destination, 'place') ?? destination.key, { processor, options: destination.options })
  }
  leaveWhenDropped(owner, { processor, producer, leave: leaveEmpty })
  if (exit.handleExit && guardExit !== undefined) unguards.set(producer, guardExit(guarded(processor, host, exit)))
  return processor
}

/** Flushes, and takes a lane off its pipeline; the last one closes it. Never rejects. */
export async function leaveDestination(
  processor: BatchProcessor,
  producer: Producer,
  timeoutMillis: number,
): Promise<void> {
  const { host } = processor
  const deadline = host.monotonic() + timeoutMillis
  await processor.flush(timeoutMillis)
  if (processor.lanes.size > 1) {
    processor.leave(producer)
  } else {
    const { byKey } = destinations()
    for (const [key, known] of byKey) if (known.processor === processor) byKey.delete(key)
    openPipelines().delete(processor)
    await processor.shutdown(Math.max(0, deadline - host.monotonic()))
    processor.leave(producer)
  }
  unguards.get(producer)?.()
}

/** The same for a lane without records, whose logger was garbage collected. */
function leaveEmpty(processor: BatchProcessor, producer: Producer): void {
  void leaveDestination(processor, producer, processor.host.exitTimeoutMillis)
}

/** By what is open now: after a rotation the path of a file leads to another one, and its old number may be given anew. */
function openDestination(destination: Destination): OpenDestination | undefined {
  const all = [...destinations().byKey.values()]
  return all.find(({ processor }) => isSame(processor.exporter.destination, destination))
}

function isSame(one: Destination | undefined, other: Destination): boolean {
  if (one === undefined) return false
  const place = member(one, 'place')
  return one.key === other.key || (place !== undefined && place === member(other, 'place'))
}

// Each logger has its pipelines guarded as it was told, whoever opened them.
const unguards = new WeakMap<Producer, () => void>()

function guarded(
  processor: BatchProcessor,
  host: PipelineHost,
  { handleSignals, exitTimeoutMillis }: ExitOptions,
): Guarded {
  return {
    finish: (millis) => (processor.needsEventLoop ? processor.flush(millis) : undefined),
    drain(deadline, occasion) {
      const { pending } = processor.drain(deadline, occasion === 'exit')
      // The process may go on; but if another listener ends it now, nobody else will tell.
      if (occasion !== 'signal' || pending === 0) return
      const { name } = processor.exporter
      host.reportDiagnostic('SLUICE_RECORDS_PENDING', `${pending} records wait for ${name} while a signal is handled`)
    },
    afterExit: () => processor.writeAtOnce(),
    handleSignals,
    exitTimeoutMillis,
  }
}

/** The destination is open already: what this exporter opened for itself is not needed. */
async function release(exporter: Exporter): Promise<void> {
  try {
    await exporter.shutdown?.()
  } catch {
    // it broke its contract; nobody has given it anything
  }
}

function destinations(): Destinations {
  const shared = globalThis as { [place]?: Destinations }
  if (shared[place] === undefined) {
    define(shared, place, { value: Object.freeze({ byKey: new Map(), used: new WeakSet() }) })
  }
  return shared[place]!
}
