import { BatchProcessor, type Lane } from '../pipeline/batch-processor.ts'
import type { Exporter } from '../pipeline/exporter.ts'
import type { PipelineHost } from '../pipeline/host.ts'
import { ConfigurationError } from '../record/problems.ts'
import { guardExit } from './exit-guard.ts'

/** One pipeline with everybody who writes through it. */
interface Destination {
  readonly processor: BatchProcessor
  readonly options: Readonly<Record<string, unknown>>
}

/** How the process may end for a logger. */
export interface ExitOptions {
  readonly handleExit: boolean
  readonly handleSignals: boolean
  readonly exitTimeoutMillis: number
}

const place = Symbol.for('sluice/v1/destinations')
const used = new WeakSet<Exporter>()

/**
 * The pipeline of an exporter: a new one, or that of the same destination if somebody in this process writes there
 * already. Two writers on one pipe would tear each other's lines, and one queue keeps them in the order of the calls.
 *
 * @throws ConfigurationError `SLUICE_EXPORTER_IN_USE` if the exporter serves a pipeline already;
 *   `SLUICE_DESTINATION_CONFLICT` if the one who came first asked for something else.
 */
export function joinDestination(exporter: Exporter, lane: Lane, host: PipelineHost, exit: ExitOptions): BatchProcessor {
  if (used.has(exporter)) {
    const message = `the exporter ${exporter.name} serves a logger already; make one for each logger`
    throw new ConfigurationError([{ code: 'SLUICE_EXPORTER_IN_USE', path: 'exporter', message }], 'SLUICE_EXPORTER_IN_USE')
  }
  const known = exporter.destination === undefined ? undefined : destinations().get(exporter.destination.key)
  if (known !== undefined) refuseConflict(exporter, known)
  used.add(exporter)
  const destination = known ?? open(exporter, host, exit)
  if (known !== undefined) void exporter.shutdown?.()
  destination.processor.lanes.add(lane)
  return destination.processor
}

/** Takes a lane off its pipeline; the last one closes it. Never rejects. */
export async function leaveDestination(processor: BatchProcessor, lane: Lane, timeoutMillis: number): Promise<void> {
  if (!processor.lanes.delete(lane)) return
  if (processor.lanes.size > 0) {
    await processor.flush(timeoutMillis)
    return
  }
  const entry = [...destinations()].find(([, destination]) => destination.processor === processor)
  if (entry !== undefined) destinations().delete(entry[0])
  await processor.shutdown(timeoutMillis)
  unguards.get(processor)?.()
}

const unguards = new WeakMap<BatchProcessor, () => void>()

function open(exporter: Exporter, host: PipelineHost, exit: ExitOptions): Destination {
  const processor = new BatchProcessor(exporter, host)
  const destination = { processor, options: exporter.destination?.options ?? {} }
  if (exporter.destination !== undefined) destinations().set(exporter.destination.key, destination)
  if (exit.handleExit) {
    const unguard = guardExit({
      drain(deadline, occasion) {
        const { pending } = processor.drain(deadline, occasion === 'exit')
        // The process may go on; but if another listener ends it now, nobody else will tell.
        if (occasion === 'signal' && pending > 0) {
          host.problem('SLUICE_RECORDS_PENDING', `${pending} records wait for ${exporter.name} while a signal is handled`)
        }
      },
      afterExit: () => processor.writeAtOnce(),
      handleSignals: exit.handleSignals,
      exitTimeoutMillis: exit.exitTimeoutMillis,
    })
    unguards.set(processor, unguard)
  }
  return destination
}

function refuseConflict(exporter: Exporter, known: Destination): void {
  const { options } = exporter.destination!
  const problems = Object.entries(options)
    .filter(([name, value]) => value !== undefined && known.options[name] !== value)
    .map(([name, value]) => ({
      code: 'SLUICE_DESTINATION_CONFLICT',
      path: `exporter.${name}`,
      message:
        `${exporter.name} is written to already with ${name} = ${JSON.stringify(known.options[name] ?? 'the default')}, ` +
        `not ${JSON.stringify(value)}; give both the same options, or log through one logger`,
    }))
  if (problems.length > 0) throw new ConfigurationError(problems, 'SLUICE_DESTINATION_CONFLICT')
}

/** By key, for every copy of this package in the process. */
function destinations(): Map<string, Destination> {
  const shared = globalThis as { [place]?: Map<string, Destination> }
  if (shared[place] === undefined) Object.defineProperty(shared, place, { value: new Map() })
  return shared[place]!
}
